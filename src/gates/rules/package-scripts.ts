import { dirname, join, resolve } from 'node:path';
import { canonicalJson, sha256 } from '#base/hash';
import { optionValues } from '#commands/long-options';
import type { Understanding } from '#commands/shell-words';
import type { Files } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import { relativeTo } from './path-pattern';
import type { Rule } from './rule';

/** Hash of the scripts of each package.json that a command would find, by the file's path. */
export type ScriptHashes = ReadonlyMap<AbsolutePath, string>;

type Disk = Pick<Files, 'stat' | 'read'>;

const RUNNERS = new Set(['npm', 'pnpm', 'yarn', 'bun']);
const NAMED_RUNNER = new RegExp([...RUNNERS].join('|'));
const NOTHING = 'nothing';
const LONGEST = 1024 * 1024;

/** Says what a package's scripts say: what it allows changes with them. */
export function runsScripts({ matcher }: Rule): boolean {
  const command = matcher?.command;
  return command !== undefined && command.kind !== 'glob' && RUNNERS.has(command.words[0] ?? '');
}

/** A line that doesn't even name a runner runs no script by one. */
export function mayRunScripts(command: string): boolean {
  return NAMED_RUNNER.test(command);
}

/** How runners are told to begin elsewhere. */
const ELSEWHERE = ['--prefix', '-C', '--cwd', '--dir'];

/**
 * Where a line's runners may look for a package: where it starts, where a `cd` or an option of theirs leads, and the folders above,
 * up to the workspace. Members of a workspace that `-w`, `-r` or `--filter` choose are told from no line, and aren't among them.
 */
export function scriptFolders(
  { steps }: Pick<Understanding, 'steps'>,
  start: AbsolutePath,
  root: AbsolutePath,
): readonly AbsolutePath[] {
  const starts = new Set<string>([start]);
  for (const step of steps) {
    if (step.kind !== 'command' || starts.size >= MOST_FOLDERS) continue;
    const [head = '', ...args] = step.command.words.map(({ text }) => text);
    const targets = /^(cd|pushd)$/.test(head)
      ? args.filter((arg) => !arg.startsWith('-'))
      : RUNNERS.has(head)
        ? optionValues(args, ELSEWHERE)
        : [];
    for (const target of targets) for (const from of [...starts]) starts.add(resolve(from, target));
  }
  return [...starts].slice(0, MOST_FOLDERS).flatMap((folder) => upTo(root, folder as AbsolutePath));
}

const MOST_FOLDERS = 16;

function upTo(root: AbsolutePath, folder: AbsolutePath): readonly AbsolutePath[] {
  const found = [root];
  for (let at: string = folder; relativeTo(root, at); at = dirname(at)) found.push(at as AbsolutePath);
  return relativeTo(root, folder) === undefined ? [root, folder] : found;
}

/** Reads the scripts as they are now. What can't be read is equal to nothing but itself. */
export async function scriptHashes(folders: readonly AbsolutePath[], files: Disk): Promise<ScriptHashes> {
  const paths = [...new Set(folders.map((folder) => join(folder, 'package.json') as AbsolutePath))];
  const hashes = paths.map(async (path) => [path, await scriptHash(path, files)] as const);
  return new Map(await Promise.all(hashes));
}

/** Are the scripts that a command would run those of then? Where nobody looked then, there must be none. */
export function areSame(then: ScriptHashes, now: ScriptHashes): boolean {
  return [...now].every(([path, hash]) => (then.get(path) ?? NOTHING) === hash);
}

async function scriptHash(path: AbsolutePath, files: Disk): Promise<string> {
  // Usually there is none, and to find that out by an error costs many times more.
  if ((await files.stat(path)) === undefined) return NOTHING;
  const read = await files.read(path, { maxBytes: LONGEST });
  if (!read.ok) return read.error.kind === 'missing' ? NOTHING : read.error.message;
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(read.value.bytes));
    const scripts =
      typeof parsed === 'object' && parsed !== null && 'scripts' in parsed ? parsed.scripts : {};
    return sha256(canonicalJson(scripts));
  } catch {
    return read.value.sha256;
  }
}
