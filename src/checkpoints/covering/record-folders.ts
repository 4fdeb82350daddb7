import { modeOf } from '#checkpoints/chain';
import type { ScanChanges } from '#disk/scan-changes';
import type { Scan } from '#disk/scanned';
import type { CheckpointId } from '#protocol/ids';
import type { Store } from '#store/store';

interface Looks {
  readonly before: Scan;
  readonly after: Scan;
  readonly seen: Pick<ScanChanges, 'madeFolders' | 'goneFolders'>;
}

/** Folders that a command made and took away, with their permission bits. */
export function recordFolders(
  { folders, operations }: Store,
  checkpointId: CheckpointId,
  { before, after, seen }: Looks,
): void {
  for (const path of seen.madeFolders)
    folders.addMade(checkpointId, path, after.folders.get(path)?.names.mode);
  if (seen.goneFolders.length === 0) return;
  // An earlier command of the turn may have changed them: what counts is what they were before the turn.
  const first = new Map<string, number | undefined>();
  for (const { path, before: was } of operations.list(checkpointId))
    if (was.kind === 'folder' && !first.has(path)) first.set(path, modeOf(was));
  for (const path of seen.goneFolders) {
    const mode = first.get(`${path}/`) ?? before.folders.get(path)?.names.mode;
    folders.addGone(checkpointId, path, mode);
  }
}
