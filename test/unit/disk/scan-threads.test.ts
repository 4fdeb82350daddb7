import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { delay } from '#base/queue';
import { scanTree } from '#disk/scan';
import { changesBetween } from '#disk/scan-changes';
import { doNext, isDone, jobOf } from '#disk/scan-job';
import { ScanThreads } from '#disk/scan-threads';
import { StampClock } from '#disk/stamps';
import { type TempFolder, tempFolder } from '#test/support/temp-folder';

const opened: ScanThreads[] = [];
afterEach(() => {
  for (const threads of opened.splice(0)) threads.dispose();
});

function threadsOf(options: ConstructorParameters<typeof ScanThreads>[0] = {}): ScanThreads {
  const threads = new ScanThreads({ count: 2, ...options });
  opened.push(threads);
  return threads;
}

const everything = { skip: () => false };

/** Enough to be shared. */
function large(): TempFolder {
  const folder = tempFolder({ 'd0/ünïcode \n name': '1' });
  for (let n = 0; n < 21; n++) mkdirSync(folder.at(`d${n % 7}/e${n % 3}`), { recursive: true });
  for (let n = 0; n < 1600; n++) writeFileSync(folder.at(`d${n % 7}/e${n % 3}/f${n}`), `${n}`);
  return folder;
}

/** Looks at a folder so often that the threads had time to start. */
async function untilRunning(folder: TempFolder, threads: ScanThreads) {
  const clock = StampClock.open();
  try {
    await clock?.momentAfter(clock.read());
    let scan = await scanTree(folder.path, { ...everything, clock });
    for (let n = 0; n < 20; n++) {
      scan = await scanTree(folder.path, { ...everything, clock, threads, last: scan });
      await delay(20);
    }
    return scan;
  } finally {
    clock?.dispose();
  }
}

test('what threads see is what one alone would see, names that are new and names that are gone included', async () => {
  const [folder, threads] = [large(), threadsOf()];
  const last = await untilRunning(folder, threads);
  rmSync(folder.at('d1/e1/f1'));
  chmodSync(folder.at('d2/e2/f2'), 0o600);
  folder.write({ 'd3/e0/f3': 'longer', 'd4/new': '1', 'x/y': '1', 'd0/ünïcode \n name': '2' });
  const shared = changesBetween(last, await scanTree(folder.path, { ...everything, last, threads }));
  const alone = changesBetween(last, await scanTree(folder.path, everything));
  expect([shared.changes.length, shared]).toEqual([6, alone]);
});

test('the memory of a look serves the next, and two looks at once have their own', async () => {
  const [folder, threads] = [large(), threadsOf()];
  const last = await untilRunning(folder, threads);
  const again = () => scanTree(folder.path, { ...everything, last, threads });
  const before = await again();
  rmSync(folder.at('d2/e0/f9'));
  folder.write({ 'd3/e0/f3': 'longer' });
  const both = await Promise.all([again(), again()]);
  const found = [before, ...both].map((scan) => changesBetween(last, scan).changes.map(({ path }) => path));
  const [one, two] = [threads.borrow(8), threads.borrow(8)];
  expect([found, one === two]).toEqual([[[], ['d2/e0/f9', 'd3/e0/f3'], ['d2/e0/f9', 'd3/e0/f3']], false]);
});

test('each task is done by one of them, and all are done in the end', async () => {
  const [folder, threads] = [large(), threadsOf()];
  await untilRunning(folder, threads);
  const files = Array.from({ length: 500 }, (_, n) => `f${n * 21}`);
  const folders = [{ path: folder.at('d0/e0'), files }];
  const job = jobOf(folders, (bytes) => threads.borrow(bytes));
  threads.offer(job, folders);
  expect([await threads.finish(job, undefined), isDone(job), doNext(job, () => folders[0])]).toEqual([
    true,
    true,
    false,
  ]);
});

test('without threads that work, the one that asks does all', async () => {
  const folder = large();
  const none = threadsOf({ count: 0 });
  const gone = threadsOf();
  gone.dispose();
  const last = await scanTree(folder.path, everything);
  folder.write({ 'd5/e2/f5': 'longer' });
  const found: string[][] = [];
  for (const threads of [none, gone]) {
    const after = await scanTree(folder.path, { ...everything, last, threads });
    found.push(changesBetween(last, after).changes.map(({ path }) => path));
  }
  expect([found, none.running, gone.running]).toEqual([[['d5/e2/f5'], ['d5/e2/f5']], 0, 0]);
});

test('where none can be started, the one that asks does all', async () => {
  const folder = large();
  const last = await scanTree(folder.path, everything);
  folder.write({ 'd5/e2/f5': 'longer' });
  const found: unknown[] = [];
  // Refused at once, as where there may be no more of them; and gone as soon as it begins.
  for (const file of ['no-path', folder.at('nowhere.js')]) {
    const threads = threadsOf({ file });
    const after = await scanTree(folder.path, { ...everything, last, threads });
    found.push(changesBetween(last, after).changes.map(({ path }) => path));
    await expect.poll(() => [threads.running, threads.areThere]).toEqual([0, false]);
  }
  expect(found).toEqual([['d5/e2/f5'], ['d5/e2/f5']]);
});

test('what a thread that was stopped had taken is done all the same', async () => {
  const [folder, threads] = [large(), threadsOf()];
  const last = await untilRunning(folder, threads);
  folder.write({ 'd6/e0/f6': 'longer' });
  const looking = scanTree(folder.path, { ...everything, last, threads });
  threads.dispose();
  const { changes } = changesBetween(last, await looking);
  expect(changes.map(({ path }) => path)).toEqual(['d6/e0/f6']);
});

test('they go when nobody has asked for a while, and come back', async () => {
  const [folder, threads] = [large(), threadsOf({ idleMs: 30 })];
  const last = await scanTree(folder.path, everything);
  const running: number[] = [];
  for (let n = 0; n < 2; n++) {
    await scanTree(folder.path, { ...everything, last, threads });
    running.push(threads.running);
    await expect.poll(() => threads.running).toBe(0);
  }
  expect(running).toEqual([2, 2]);
});

test('no process stays alive for them', async () => {
  const [folder, threads] = [large(), threadsOf()];
  const last = await scanTree(folder.path, everything);
  const ports = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
  const before = ports();
  await scanTree(folder.path, { ...everything, last, threads });
  expect([threads.running, ports()]).toEqual([2, before]);
});

test('a small folder starts none', async () => {
  const [small, threads] = [tempFolder({ a: '1' }), threadsOf()];
  const last = await scanTree(small.path, everything);
  await scanTree(small.path, { ...everything, last, threads });
  expect(threads.running).toBe(0);
});

test('a look that is stopped rejects, and its threads take no more of it', async () => {
  const [folder, threads] = [large(), threadsOf()];
  const last = await untilRunning(folder, threads);
  const stop = new AbortController();
  const looking = scanTree(folder.path, { ...everything, last, threads, signal: stop.signal });
  stop.abort(new Error('stopped'));
  const outcome = await looking.then(
    () => 'done before',
    (error: Error) => error.message,
  );
  expect(['stopped', 'done before']).toContain(outcome);
});
