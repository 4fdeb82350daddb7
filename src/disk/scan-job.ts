// What the threads of one look share. Node runs this as it stands in the thread of a test: so it imports by names that Node understands.
import { lookInto, STRIDE } from '#disk/scan-rows';

/** A folder to look at: its own path, then each of its files. */
export interface JobFolder {
  /** Absolute. */
  readonly path: string;
  readonly files: readonly string[];
}

/** Rows to be filled by whoever has time: the folder's own row, then those of its files, folder by folder. */
export interface ScanJob {
  readonly rows: Float64Array;
  /** The first row of each folder. */
  readonly starts: Int32Array;
  /** Three numbers a task: which folder, and from and up to which of its rows. */
  readonly tasks: Int32Array;
  /** The next task to take, then a 1 for each that is done. */
  readonly state: Int32Array;
}

/** So many files are looked at between two looks at what else there is to do: some hundred microseconds. */
const AT_A_TIME = 128;

/** `memory`: gives bytes for the rows, whatever is in them; left out where no other thread will take part. */
export function jobOf(folders: readonly JobFolder[], memory?: (bytes: number) => SharedArrayBuffer): ScanJob {
  const starts = new Int32Array(folders.length);
  const tasks: number[] = [];
  let total = 0;
  folders.forEach(({ files }, folder) => {
    const count = files.length + 1;
    starts[folder] = total;
    total += count;
    for (let from = 0; from < count; from += AT_A_TIME)
      tasks.push(folder, from, Math.min(from + AT_A_TIME, count));
  });
  const bytes = total * STRIDE * Float64Array.BYTES_PER_ELEMENT;
  const state = (1 + tasks.length / 3) * Int32Array.BYTES_PER_ELEMENT;
  return {
    rows: new Float64Array(memory ? memory(bytes) : new ArrayBuffer(bytes), 0, total * STRIDE),
    starts,
    tasks: Int32Array.from(tasks),
    state: new Int32Array(memory ? new SharedArrayBuffer(state) : new ArrayBuffer(state)),
  };
}

/** Does one task that nobody has taken yet; false when there is none. */
export function doNext(job: ScanJob, folderAt: (folder: number) => JobFolder | undefined): boolean {
  const task = Atomics.add(job.state, 0, 1);
  if (task >= job.tasks.length / 3) return false;
  doTask(job, task, folderAt);
  return true;
}

/** Does those that somebody took and won't finish. */
export function doLost(job: ScanJob, folderAt: (folder: number) => JobFolder | undefined): void {
  for (let task = 0; task < job.tasks.length / 3; task++)
    if (Atomics.load(job.state, task + 1) === 0) doTask(job, task, folderAt);
}

/** Nobody takes any more. */
export function breakOff(job: ScanJob): void {
  Atomics.store(job.state, 0, job.tasks.length);
}

export function isDone({ state }: ScanJob): boolean {
  for (let at = 1; at < state.length; at++) if (Atomics.load(state, at) === 0) return false;
  return true;
}

function doTask(
  { rows, starts, tasks, state }: ScanJob,
  task: number,
  folderAt: (folder: number) => JobFolder | undefined,
): void {
  const [folder = 0, from = 0, to = 0] = tasks.subarray(task * 3, task * 3 + 3);
  const found = folderAt(folder);
  if (!found) throw new Error('a folder of the look was never told');
  const { path, files } = found;
  const start = starts[folder] ?? 0;
  for (let row = from; row < to; row++)
    lookInto(rows, (start + row) * STRIDE, row === 0 ? path : `${path}/${files[row - 1]}`);
  Atomics.store(state, task + 1, 1);
}
