import { foldName } from '#base/text';
import type { FileState } from '#protocol/checkpoint';
import type { Action, Present, Work } from './action';
import { sameState } from './chain';
import { closings, opened, openings } from './folder-actions';
import type { FileStep } from './preflight';

/**
 * The order in which a restore can be done: what goes, goes first; a file that only moves is renamed, so that it stays the
 * same file; folders that have become empty go before a file takes their name; then everything is written. Folders that are closed to
 * their owner are open meanwhile, and get their permission bits at the end.
 */
export function actionsFor(work: Work): Action[] {
  const { moves, others } = pairMoves(work);
  const deletions: Action[] = others.flatMap(({ path, from, to }) =>
    isPresent(from) && to.kind === 'absent' ? [{ kind: 'delete', path, was: from }] : [],
  );
  const writes: Action[] = others.flatMap(({ path, from, to }) =>
    isPresent(to) && from.kind !== 'folder' ? [{ kind: 'write', path, was: from, becomes: to }] : [],
  );
  const folder = (kind: 'make-folder' | 'remove-folder') => (path: string) => folderAction(kind, path, work);
  return [
    ...openings(work),
    ...deletions,
    ...work.makeFolders.filter((path) => isParentOfMove(path, moves)).map(folder('make-folder')),
    ...moves,
    ...[...work.removeFolders].reverse().map(folder('remove-folder')),
    ...work.makeFolders.filter((path) => !isParentOfMove(path, moves)).map(folder('make-folder')),
    ...writes,
    ...closings(work),
  ];
}

function isPresent(state: FileState): state is Present {
  return state.kind === 'file' || state.kind === 'link';
}

/** What takes an action back. */
export function inverseOf(action: Action): Action {
  switch (action.kind) {
    case 'delete':
      return { kind: 'write', path: action.path, was: { kind: 'absent' }, becomes: action.was };
    case 'write':
      return action.was.kind === 'absent'
        ? { kind: 'delete', path: action.path, was: action.becomes }
        : { kind: 'write', path: action.path, was: action.becomes, becomes: action.was };
    case 'rename':
      return { kind: 'rename', path: action.to, to: action.path, file: action.file };
    case 'make-folder':
      return { ...action, kind: 'remove-folder' };
    case 'remove-folder':
      return { ...action, kind: 'make-folder' };
    case 'folder-bits':
      return { ...action, was: action.becomes, becomes: action.was };
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

function folderAction(kind: 'make-folder' | 'remove-folder', path: string, { bits }: Work): Action {
  const mode = bits?.[path];
  return { kind, path, ...(mode === undefined ? {} : { bits: opened(mode) }) };
}
