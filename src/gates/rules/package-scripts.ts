import { join } from 'node:path';
import { canonicalJson, sha256 } from '#base/hash';
import type { Files } from '#host';
import type { AbsolutePath } from '#protocol/ids';
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

/** Reads the scripts as they are now. What can't be read is equal to nothing but itself. */
export async function scriptHashes(folders: readonly AbsolutePath[], files: Disk): Promise<ScriptHashes> {
  const paths = [...new Set(folders.map((folder) => join(folder, 'package.json') as AbsolutePath))];
  const hashes = paths.map(async (path) => [path, await scriptHash(path, files)] as const);
  return new Map(await Promise.all(hashes));
}

/** Are the scripts that a command would run those of then? */
export function areSame(then: ScriptHashes, now: ScriptHashes): boolean {
  return [...now].every(([path, hash]) => then.get(path) === hash);
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
