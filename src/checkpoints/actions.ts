import { foldName } from '#base/text';
import type { FileState } from '#protocol/checkpoint';
import { ABSENT, sameState } from './chain';
import type { FileStep } from './preflight';

export type PresentFile = Extract<FileState, { readonly kind: 'file' }>;

/** One thing done to the disk, with all that taking it back needs. */
export type Action =
  | { readonly kind: 'delete'; readonly path: string; readonly was: PresentFile }
  | { readonly kind: 'write'; readonly path: string; readonly was: FileState; readonly becomes: PresentFile }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string; readonly file: PresentFile }
  | { readonly kind: 'make-folder'; readonly path: string }
  | { readonly kind: 'remove-folder'; readonly path: string };

export interface Work {
  readonly files: readonly FileStep[];
  /** Outermost first, both. */
  readonly makeFolders: readonly string[];
  readonly removeFolders: readonly string[];
}

/**
 * The order in which a restore can be done: what goes, goes first; a file that only moves is renamed, so that it stays the
 * same file; folders that have become empty go before a file takes their name; then everything is written.
 */
export function actionsFor(work: Work): Action[] {
  const { moves, others } = pairMoves(work);
  const deletions: Action[] = others.flatMap(({ path, from, to }) =>
    from.kind === 'file' && to.kind === 'absent' ? [{ kind: 'delete', path, was: from }] : [],
  );
  const writes: Action[] = others.flatMap(({ path, from, to }) =>
    to.kind === 'file' ? [{ kind: 'write', path, was: from, becomes: to }] : [],
  );
  return [
    ...deletions,
    ...work.makeFolders.filter((path) => isParentOfMove(path, moves)).map(makeFolder),
    ...moves,
    ...[...work.removeFolders].reverse().map(removeFolder),
    ...work.makeFolders.filter((path) => !isParentOfMove(path, moves)).map(makeFolder),
    ...writes,
  ];
}

/** What takes an action back. */
export function inverseOf(action: Action): Action {
  switch (action.kind) {
    case 'delete':
      return { kind: 'write', path: action.path, was: ABSENT, becomes: action.was };
    case 'write':
      return action.was.kind === 'absent'
        ? { kind: 'delete', path: action.path, was: action.becomes }
        : { kind: 'write', path: action.path, was: action.becomes, becomes: action.was };
    case 'rename':
      return { kind: 'rename', path: action.to, to: action.path, file: action.file };
    case 'make-folder':
      return { kind: 'remove-folder', path: action.path };
    case 'remove-folder':
      return { kind: 'make-folder', path: action.path };
  }
}

interface Paired {
  readonly moves: readonly (Action & { readonly kind: 'rename' })[];
  readonly others: readonly FileStep[];
}

/** A file that goes here and the very same that comes there are one move. */
function pairMoves(work: Work): Paired {
  const arriving = work.files.filter(({ from, to }) => from.kind === 'absent' && to.kind === 'file');
  const moves: (Action & { readonly kind: 'rename' })[] = [];
  const used = new Set<string>();
  for (const { path, from, to } of work.files) {
    if (from.kind !== 'file' || to.kind !== 'absent') continue;
    const candidates = arriving.filter(
      (step) => !used.has(step.path) && sameState(step.to, from) && isFree(step.path, path, work),
    );
    // Names that differ in case alone belong together: on some disks they are one name.
    const target = candidates.find((step) => foldName(step.path) === foldName(path)) ?? candidates[0];
    if (!target) continue;
    used.add(target.path);
    used.add(path);
    moves.push({ kind: 'rename', path, to: target.path, file: from });
  }
  return { moves, others: work.files.filter(({ path }) => !used.has(path)) };
}

/** Nothing that goes only after the moves stands where the file, or a folder for it, has to be. */
function isFree(target: string, source: string, { removeFolders, files }: Work): boolean {
  if (removeFolders.includes(target)) return false;
  const isAbove = files.some(({ path }) => target.startsWith(`${path}/`) || source.startsWith(`${path}/`));
  return !isAbove;
}

function isParentOfMove(folder: string, moves: readonly { readonly to: string }[]): boolean {
  return moves.some(({ to }) => to.startsWith(`${folder}/`));
}

function makeFolder(path: string): Action {
  return { kind: 'make-folder', path };
}

function removeFolder(path: string): Action {
  return { kind: 'remove-folder', path };
}
