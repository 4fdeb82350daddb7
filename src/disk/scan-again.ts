import { isFolderAt } from './scan-entry';
import { breakOff, doLost, doNext, type JobFolder, jobOf, type ScanJob } from './scan-job';
import { CTIME, DEVICE, INODE, MODE, MTIME, numberOf, STRIDE } from './scan-rows';
import type { ScanThreads } from './scan-threads';
import type { Scan, ScannedFolder } from './scanned';
import { Slices } from './slices';

/** A folder that a scan saw, looked at anew. */
export interface FolderAgain {
  /** The old names, and what is to be found under them now. */
  readonly folder: ScannedFolder;
  /** It has the same names as then. Else some may be new, or no longer be there. */
  readonly isAsBefore: boolean;
}

/** To share fewer files than these takes as long as it saves. */
const WORTH_SHARING = 1500;

interface Options {
  readonly signal?: AbortSignal | undefined;
  readonly threads?: ScanThreads | undefined;
}

/** Looks at every folder and file that a scan saw, and at no names. By the folders' relative paths. */
export async function lookAgain(
  { root, folders }: Scan,
  { signal, threads }: Options,
): Promise<ReadonlyMap<string, FolderAgain>> {
  const listed = [...folders].map(
    ([relative, { names }]): JobFolder => ({
      path: relative === '' ? root : `${root}/${relative}`,
      files: names.files,
    }),
  );
  const count = listed.reduce((sum, { files }) => sum + files.length + 1, 0);
  const helpers = threads?.areThere && count >= WORTH_SHARING ? threads : undefined;
  const job = jobOf(listed, helpers && ((bytes) => helpers.borrow(bytes)));
  helpers?.offer(job, listed);
  const areDone = await takePart(job, listed, { signal, threads: helpers });
  const seen = helpers ? helpers.rowsOf(job, areDone) : job.rows;
  const found = new Map<string, FolderAgain>();
  let folder = 0;
  for (const [relative, { names }] of folders) {
    const start = (job.starts[folder++] ?? 0) * STRIDE;
    const rows = seen.subarray(start + STRIDE, start + (names.files.length + 1) * STRIDE);
    const isAsBefore = isUntouched(names, seen, start) && areAllThere(rows);
    found.set(relative, { folder: { names, rows }, isAsBefore });
  }
  return found;
}

/** All of it is done then. False when a thread was lost, which may still be at work. */
async function takePart(
  job: ScanJob,
  folders: readonly JobFolder[],
  { signal, threads }: Options,
): Promise<boolean> {
  const folderAt = (folder: number) => folders[folder];
  const slices = new Slices(signal);
  try {
    while (doNext(job, folderAt)) if (slices.isOver) await slices.rest();
    if (!threads || (await threads.finish(job, signal))) return true;
    doLost(job, folderAt);
    return false;
  } catch (error) {
    breakOff(job);
    throw error;
  }
}

/** `own`: where the folder's own row begins. */
function isUntouched(names: ScannedFolder['names'], rows: Float64Array, own: number): boolean {
  return (
    names.isSettled &&
    isFolderAt(rows, own) &&
    names.device === numberOf(rows, own, DEVICE) &&
    names.inode === numberOf(rows, own, INODE) &&
    names.mtimeMs === numberOf(rows, own, MTIME) &&
    names.ctimeMs === numberOf(rows, own, CTIME)
  );
}

/** A file that is gone, or a folder by now, went after the folder was looked at. */
function areAllThere(rows: Float64Array): boolean {
  for (let at = 0; at < rows.length; at += STRIDE)
    if (numberOf(rows, at, MODE) === 0 || isFolderAt(rows, at)) return false;
  return true;
}
