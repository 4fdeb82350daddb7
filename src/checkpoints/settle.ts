import { basename, dirname } from 'node:path';
import type { Files } from '#host';
import type { FileState } from '#protocol/checkpoint';
import type { AbsolutePath } from '#protocol/ids';
import type { StoredOperation } from '#store/file-operations';
import { ABSENT, sameContent } from './chain';
import { absolutePath, lookAt, type Seen } from './look';

/** What became of a write whose end was not recorded, judged by what is on the disk. */
export type Fate =
  | { readonly kind: 'never-happened' }
  | { readonly kind: 'happened'; readonly after: FileState }
  | { readonly kind: 'unknown' };

/** Judges one pending operation. A rename that was cut between its two halves is completed: both names are one file. */
export async function fateOf(operation: StoredOperation, files: Files, root: AbsolutePath): Promise<Fate> {
  const there = await lookAt(files, root, operation.path);
  if (operation.kind !== 'rename' || operation.from === undefined) return judge(operation, there);
  const origin = await lookAt(files, root, operation.from);
  const isThere = matches(there, operation.before);
  if (isThere && matches(origin, ABSENT))
    return { kind: 'happened', after: stateOf(there) ?? operation.planned };
  if (matches(there, ABSENT) && matches(origin, operation.before)) return { kind: 'never-happened' };
  if (isThere && isOneFile(origin, there)) return finishRename(operation, operation.from, { files, root });
  return { kind: 'unknown' };
}

/**
 * Both names lead to one file. Two entries: the rename was cut between its halves, so the old name goes. One entry: the
 * disk ignores case, and the entry's own name tells which it is; removing "the other" would remove the file.
 */
async function finishRename(
  operation: StoredOperation,
  from: string,
  { files, root }: { readonly files: Files; readonly root: AbsolutePath },
): Promise<Fate> {
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
