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
  const found = new Map<string, NamedPath>();
  for (const step of steps) {
    if (step.kind !== 'command') continue;
    for (const named of pathsOf(step.command, home)) {
      for (const folder of folders) {
        const path = resolve(folder, named.path) as AbsolutePath;
        const key = `${named.access} ${path}`;
        const known = found.get(key);
        // Named twice, in quotes and as a glob: it is what either says.
        const certain = named.certain || known?.certain === true;
        const glob = named.glob || known?.glob === true;
        const redirect = named.redirect ?? known?.redirect;
        found.set(key, { path, access: named.access, certain, glob, ...(redirect ? { redirect } : {}) });
      }
    }
    followFolder(step.command, folders, home);
  }
  return [...found.values()];
}

function pathsOf(command: SimpleCommand, home: AbsolutePath): readonly NamedPath[] {
  const named: NamedPath[] = [];
  for (const redirect of command.redirects) named.push(...redirectPaths(redirect));
  const [head, ...operands] = command.words;
  const name = commandName(head?.text ?? '');
  if (head === undefined || NEITHER.has(name)) return named;
  for (const word of operands) {
    const glob = !word.literal && isGlob(word.text);
    for (const piece of pathsInWord(word.text))
      named.push(...accessesOf(name).map((access) => ({ ...access, path: expandHome(piece, home), glob })));
    for (const text of word.literal ? [] : (plainBraces(word) ?? []))
      for (const piece of pathsInWord(text))
        named.push(
          ...accessesOf(name).map((access) => ({ ...access, path: piece as AbsolutePath, glob: false })),
        );
  }
  return named;
}

function accessesOf(name: string): readonly Pick<NamedPath, 'access' | 'certain'>[] {
  if (READERS.has(name)) return [{ access: 'read', certain: true }];
  if (WRITERS.has(name)) return [{ access: 'write', certain: true }];
  const certain = MOVERS.has(name);
  return [
    { access: 'read', certain },
    { access: 'write', certain },
  ];
}

function redirectPaths({ op, target: literal, word }: ShellRedirect): readonly NamedPath[] {
  // A glob that fits one file is that file.
  const glob = literal === undefined && word?.pieces.some(({ kind }) => kind === 'glob') === true;
  const target = literal ?? (glob ? word?.text : undefined);
  if (target === undefined || target === '' || target === '-' || /^\d+$/.test(target)) return [];
  const path = target as AbsolutePath;
  const accesses: NamedPath[] = [];
  if (op.includes('<') && !op.startsWith('<<')) accesses.push({ path, access: 'read', certain: true, glob });
  if (op.includes('>'))
    accesses.push({
      path,
      access: 'write',
      certain: true,
      glob,
      ...(HARMLESS.test(path) ? {} : { redirect: true }),
    });
  return accesses;
}

/** Where a path may hide in a word: `--output=F`, `-oF`, `if=F`, `@F`, `HEAD:F`, `@:F`, `:F`. */
function pathsInWord(word: string): readonly string[] {
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
  const inHome = /^(?:~|\$HOME|\$\{HOME\}|"\$HOME"|"\$\{HOME\}")(?=\/|$)(.*)$/s.exec(path)?.[1];
  return (inHome === undefined ? path : `${home}${inHome}`) as AbsolutePath;
}
