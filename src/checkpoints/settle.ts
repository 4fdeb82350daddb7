import { basename, dirname } from 'node:path';
import type { Files } from '#host';
import type { FileState } from '#protocol/checkpoint';
import type { AbsolutePath } from '#protocol/ids';
import type { StoredOperation } from '#store/file-operations';
import { ABSENT, sameContent } from './chain';
import { lookAt } from './look';
import { absolutePath } from './paths';
import type { Seen } from './seen';

/** What became of a write whose end was not recorded, judged by what is on the disk. */
export type Fate =
  | { readonly kind: 'never-happened' }
  | { readonly kind: 'happened'; readonly after: FileState }
  /** Both names of a rename lead to one file. */
  | { readonly kind: 'half'; readonly from: string }
  | { readonly kind: 'unknown' };

/** Judges one pending operation by what is on the disk; changes nothing. */
export async function fateOf(operation: StoredOperation, files: Files, root: AbsolutePath): Promise<Fate> {
  const there = await lookAt(files, root, operation.path);
  if (operation.kind !== 'rename' || operation.from === undefined) return judge(operation, there);
  const origin = await lookAt(files, root, operation.from);
  const isThere = matches(there, operation.before);
  if (isThere && matches(origin, ABSENT))
    return { kind: 'happened', after: stateOf(there) ?? operation.planned };
  if (matches(there, ABSENT) && matches(origin, operation.before)) return { kind: 'never-happened' };
  return isThere && isOneFile(origin, there) ? { kind: 'half', from: operation.from } : { kind: 'unknown' };
}

/**
 * Completes a rename that a crash cut between its halves. Both names lead to one file; two entries: the new name is ours
 * (it was free when the intention was recorded), so the old one goes. One entry: the disk ignores case, and the entry's
 * own name tells which it is; removing "the other" would remove the file.
 */
export async function finishRename(
  operation: StoredOperation,
  from: string,
  { files, root }: { readonly files: Files; readonly root: AbsolutePath },
): Promise<Exclude<Fate, { readonly kind: 'half' }>> {
  const [old, now] = [absolutePath(root, from), absolutePath(root, operation.path)];
  const isNewListed = (await files.list(dirname(now) as AbsolutePath)).some(
    ({ name }) => name === basename(now),
  );
  const isOldListed = (await files.list(dirname(old) as AbsolutePath)).some(
    ({ name }) => name === basename(old),
  );
  if (!isNewListed) return { kind: 'never-happened' };
  if (isOldListed && operation.before.kind === 'file') {
    const removed = await files.land({ kind: 'delete', path: old, expected: operation.before.sha256 });
    if (!removed.ok) return { kind: 'unknown' };
  }
  return { kind: 'happened', after: operation.planned };
}

function judge(operation: StoredOperation, there: Seen): Fate {
  const state = stateOf(there);
  if (state && sameContent(state, operation.planned)) return { kind: 'happened', after: state };
  if (state && sameContent(state, operation.before)) return { kind: 'never-happened' };
  return { kind: 'unknown' };
}

function matches(seen: Seen, state: FileState): boolean {
  const there = stateOf(seen);
  return there !== undefined && sameContent(there, state);
}

function isOneFile(a: Seen, b: Seen): boolean {
  return a.kind === 'state' && b.kind === 'state' && a.identity !== undefined && a.identity === b.identity;
}

function stateOf(seen: Seen): FileState | undefined {
  return seen.kind === 'state' ? seen.state : undefined;
}
