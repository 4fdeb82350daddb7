import { resolve } from 'node:path';
import type { Reads } from '#commands/classes/command-class';
import type { ClassifiedCommand } from '#commands/classify';
import type { SimpleCommand, Understanding } from '#commands/shell-words';
import type { AbsolutePath } from '#protocol/ids';

const MOST_FOLDERS = 16;

/** In which folders a command of the line may run. */
export type Folders = (each: ClassifiedCommand) => readonly AbsolutePath[];

/**
 * Follows each `cd` of a line. Where every command waits for those before it, it is known where each runs; else each may run in
 * any of the folders. Undefined where a `cd` leads nobody knows where, or there are too many.
 */
export function foldersOf(
  { inOrder, steps }: Understanding,
  all: readonly ClassifiedCommand[],
  start: AbsolutePath,
): Folders | undefined {
  if (all.some(({ words, reads }) => /^(cd|pushd|popd)$/.test(words[0] ?? '') && !reads?.moves))
    return undefined;
  return inOrder ? oneByOne(steps, all, start) : anyOf(all, start);
}

function oneByOne(
  steps: Understanding['steps'],
  all: readonly ClassifiedCommand[],
  start: AbsolutePath,
): Folders {
  const known = new Map(all.map((each) => [each.command, each]));
  const found = new Map<SimpleCommand, readonly AbsolutePath[]>();
  const saved: AbsolutePath[] = [];
  let at = start;
  for (const step of steps) {
    if (step.kind === 'scope-start') saved.push(at);
    else if (step.kind === 'scope-end') at = saved.pop() ?? start;
    else if (step.kind === 'command') {
      const { words = [], reads } = known.get(step.command) ?? {};
      found.set(step.command, [at, ...repositories(words, reads).map(({ text }) => from(at, text))]);
      if (reads?.moves) for (const { text } of reads.paths) at = from(at, text);
    }
  }
  return ({ command }) => found.get(command) ?? [start];
}

function anyOf(all: readonly ClassifiedCommand[], start: AbsolutePath): Folders | undefined {
  const folders = new Set<AbsolutePath>([start]);
  for (const { words, reads } of all) {
    for (const path of [...(reads?.moves ? reads.paths : []), ...repositories(words, reads)])
      for (const folder of [...folders]) folders.add(from(folder, path.text));
    if (folders.size > MOST_FOLDERS) return undefined;
  }
  return () => [...folders];
}

/** `git -C FOLDER` runs there. */
function repositories(words: readonly string[], reads: Reads | undefined): Reads['paths'] {
  return reads?.hardened && words.includes('-C') ? reads.paths.slice(0, 1) : [];
}

function from(folder: AbsolutePath, path: string): AbsolutePath {
  return resolve(folder, path) as AbsolutePath;
}
