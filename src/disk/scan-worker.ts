// A thread that looks at files beside the one that waits for the look: the kernel takes most of the time, and has other cores. It is
// bundled alone, and Node runs it as it stands here in the tests: so it imports by names that Node understands as well.
import { parentPort } from 'node:worker_threads';
import { doNext, type JobFolder, type ScanJob } from '#disk/scan-job';

/** One look. A folder's names are told once and then go by number. */
export interface JobMessage {
  readonly job: ScanJob;
  /** The number of each folder of the job. */
  readonly numbers: Int32Array;
  /** Names joined by `/`, which is in none of them: one long text travels faster than many short ones. */
  readonly learn: readonly { readonly number: number; readonly path: string; readonly files: string }[];
  readonly forget: readonly number[];
}

const known = new Map<number, JobFolder>();

parentPort?.on('message', ({ job, numbers, learn, forget }: JobMessage) => {
  for (const number of forget) known.delete(number);
  for (const { number, path, files } of learn)
    known.set(number, { path, files: files === '' ? [] : files.split('/') });
  const folderAt = (folder: number) => known.get(numbers[folder] ?? 0);
  while (doNext(job, folderAt));
  parentPort?.postMessage('done');
});
