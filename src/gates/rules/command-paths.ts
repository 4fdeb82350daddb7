import { resolve } from 'node:path';
import { plainBraces } from '#commands/expansion';
import { commandName } from '#commands/inner';
import type { ShellRedirect, ShellStep, SimpleCommand } from '#commands/shell-words';
import type { AbsolutePath } from '#protocol/ids';
import { isGlob } from './expand-glob';

/** A path that a command line names: an operand or the target of a redirect. */
export interface NamedPath {
  readonly path: AbsolutePath;
  readonly access: 'read' | 'write';
  /** False where the command isn't known to read or write its operands. */
  readonly certain: boolean;
  /** The shell makes names of files of it. */
  readonly glob: boolean;
  /** The shell itself opens it, to write. */
  readonly redirect?: true;
}

/** They only read what they are given; `find` and `sort` aren't here, they can write. */
const READERS = new Set(
  'cat head tail less more wc ls stat file grep egrep fgrep rg diff cmp md5sum sha1sum sha256sum sha512sum cut nl od hexdump strings base64 du jq source .'.split(
    ' ',
  ),
);
/** They change what they are given. */
const WRITERS = new Set('rm rmdir touch tee mkdir chmod chown chgrp truncate unlink shred mkfifo'.split(' '));
/** What was moved away can be read where it went. */
const MOVERS = new Set('mv gmv'.split(' '));
/** Their operands aren't paths, or only tested. */
const NEITHER = new Set(
  'echo printf true false cd pushd popd pwd exit test [ [[ export sleep kill which type'.split(' '),
);
/** What is written there goes nowhere, or to whoever reads the command's output. */
const HARMLESS = /^\/dev\/(null|stdout|stderr)$/;
const MOST_FOLDERS = 16;
const LONGEST = 4096;

/**
 * The literal paths on a line, resolved against the folder the command starts in and every folder that a
 * `cd` on the line may have led to: better one place too many than one too few.
 */
export function commandPaths(
  steps: readonly ShellStep[],
  start: AbsolutePath,
  home: AbsolutePath,
): readonly NamedPath[] {
  const folders = new Set<string>([start]);
  const found: Found = new Map();
  for (const step of steps) {
    if (step.kind !== 'command') continue;
    for (const named of pathsOf(step.command, home))
      for (const folder of folders) note(named, resolve(folder, named.path) as AbsolutePath, found);
    followFolder(step.command, folders, home);
  }
  return [...found.values()].flatMap(({ read, write }) => [
    ...(read ? [read] : []),
    ...(write ? [write] : []),
  ]);
}

/** By path, and by what is done with it. */
type Found = Map<string, { read?: NamedPath; write?: NamedPath }>;

/** A path as it stands on the line, with each way in which it may be used. */
interface Named {
  readonly path: string;
  readonly glob: boolean;
  readonly uses: readonly Use[];
}

type Use = Pick<NamedPath, 'access' | 'certain' | 'redirect'>;

function note({ uses, glob }: Named, path: AbsolutePath, found: Found): void {
  const both = found.get(path) ?? {};
  found.set(path, both);
  for (const use of uses) {
    const known = both[use.access];
    if (known === undefined) both[use.access] = { path, glob, ...use };
    else {
      // Named twice, in quotes and as a glob: it is what either says.
      const redirect = use.redirect ?? known.redirect;
      both[use.access] = {
        path,
        access: use.access,
        certain: use.certain || known.certain,
        glob: glob || known.glob,
        ...(redirect ? { redirect } : {}),
      };
    }
  }
}

function pathsOf(command: SimpleCommand, home: AbsolutePath): readonly Named[] {
  const named: Named[] = command.redirects.flatMap(redirectPaths);
  const [head, ...operands] = command.words;
  const name = commandName(head?.text ?? '');
  if (head === undefined || NEITHER.has(name)) return named;
  const uses = usesOf(name);
  for (const word of operands) {
    const glob = !word.literal && isGlob(word.text);
    for (const piece of pathsInWord(word.text)) named.push({ path: expandHome(piece, home), glob, uses });
    for (const text of word.literal ? [] : (plainBraces(word) ?? []))
      for (const path of pathsInWord(text)) named.push({ path, glob: false, uses });
  }
  return named;
}

const READ: readonly Use[] = [{ access: 'read', certain: true }];
const WRITE: readonly Use[] = [{ access: 'write', certain: true }];
const MOVE: readonly Use[] = [...READ, ...WRITE];
const EITHER: readonly Use[] = [
  { access: 'read', certain: false },
  { access: 'write', certain: false },
];

function usesOf(name: string): readonly Use[] {
  if (READERS.has(name)) return READ;
  if (WRITERS.has(name)) return WRITE;
  return MOVERS.has(name) ? MOVE : EITHER;
}

function redirectPaths({ op, target: literal, word }: ShellRedirect): readonly Named[] {
  // A glob that fits one file is that file.
  const glob = literal === undefined && word?.pieces.some(({ kind }) => kind === 'glob') === true;
  const path = literal ?? (glob ? word?.text : undefined);
  if (path === undefined || path === '' || path === '-' || /^\d+$/.test(path)) return [];
  const reads = op.includes('<') && !op.startsWith('<<') ? READ : [];
  const writes: readonly Use[] = HARMLESS.test(path)
    ? WRITE
    : [{ access: 'write', certain: true, redirect: true }];
  return [{ path, glob, uses: op.includes('>') ? [...reads, ...writes] : reads }];
}

/** Where a path may hide in a word: `--output=F`, `-oF`, `if=F`, `@F`, `HEAD:F`, `@:F`, `:F`. */
function pathsInWord(word: string): readonly string[] {
  // Nearly every word hides nothing.
  if (/^[\w./][\w./-]*$/.test(word)) return word.length <= LONGEST ? [word] : [];
  const pieces = new Set<string>();
  const value = /^[A-Za-z_-][\w.-]*=(.+)$/s.exec(word)?.[1];
  if (value !== undefined) pieces.add(value);
  if (!word.startsWith('-')) pieces.add(word);
  else if (/^-[A-Za-z0-9]./.test(word)) pieces.add(word.slice(2));
  for (const piece of [...pieces]) {
    const bare = piece.replace(/^@|^file:\/\//, '');
    pieces.add(bare);
    const colon = bare.lastIndexOf(':');
    if (colon >= 0 && !bare.includes('://') && !/^[A-Za-z]:[\\/]/.test(bare))
      pieces.add(bare.slice(colon + 1));
  }
  return [...pieces].filter((piece) => piece !== '' && piece.length <= LONGEST && !/[\0\n]/.test(piece));
}

function followFolder(command: SimpleCommand, folders: Set<string>, home: AbsolutePath): void {
  const [head, ...operands] = command.words;
  if (head?.text !== 'cd' && head?.text !== 'pushd') return;
  const target = operands.find((word) => word.text === '-' || !word.text.startsWith('-'))?.text ?? home;
  for (const folder of [...folders]) {
    if (folders.size < MOST_FOLDERS) folders.add(resolve(folder, expandHome(target, home)));
  }
}

function expandHome(path: string, home: AbsolutePath): AbsolutePath {
  if (!/^[~$"]/.test(path)) return path as AbsolutePath;
  const inHome = /^(?:~|\$HOME|\$\{HOME\}|"\$HOME"|"\$\{HOME\}")(?=\/|$)(.*)$/s.exec(path)?.[1];
  return (inHome === undefined ? path : `${home}${inHome}`) as AbsolutePath;
}
