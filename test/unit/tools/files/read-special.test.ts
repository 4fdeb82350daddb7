import {
  appendFileSync,
  chmodSync,
  closeSync,
  ftruncateSync,
  openSync,
  renameSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { sha256 } from '#base/hash';
import { diskFiles } from '#disk/files';
import { hiddenFiles } from '#disk/hidden-files';
import { readRegularFile } from '#disk/read';
import type { Files } from '#host';
import type { AbsolutePath, RelativePath } from '#protocol/ids';
import { asOrdinaryUser } from '#test/support/ordinary-user';
import { type Bench, toolBench } from '#test/support/tool-context';
import { readFile } from '#tools/files/read-file';

const GB = 1024 ** 3;
const MB = 1024 ** 2;

/** What is asked of the disk, and something that happens when it has been. */
function watched(after: (call: number) => void = () => undefined) {
  const disk = diskFiles();
  const asked: { from: number; maxBytes: number }[] = [];
  const files: Files = {
    ...disk,
    async read(path, options) {
      asked.push({ from: options?.from ?? 0, maxBytes: options?.maxBytes ?? 0 });
      const read = await disk.read(path, options);
      after(asked.length);
      return read;
    },
  };
  return { files, asked };
}

/** 20 MB of lines: text as far as anybody looks at a beginning. */
const BEGINNING = `${'x'.repeat(1023)}\n`.repeat(20 * 1024);

/** A sparse file: what is written into it, by place, and holes between. */
function sparse(
  bench: Bench,
  name: string,
  size: number,
  pieces: readonly (readonly [number, string])[],
): void {
  const file = openSync(bench.folder.at(name), 'w');
  ftruncateSync(file, size);
  for (const [at, text] of pieces) writeSync(file, text, at);
  closeSync(file);
}

test('refuses a socket and a device at once', async () => {
  const { call, folder } = toolBench();
  const server = createServer().listen(folder.at('socket'));
  await new Promise((resolve) => server.once('listening', resolve));
  expect((await call(readFile, { path: 'socket' })).content).toBe(
    'read_file: "socket" is a socket; only regular files are read and written',
  );
  server.close();
  const context = {
    workspace: { root: '/dev' as AbsolutePath, name: 'dev', hidden: hiddenFiles('/dev' as AbsolutePath) },
  };
  expect((await toolBench({}, { context }).call(readFile, { path: 'zero' })).content).toBe(
    'read_file: "zero" is a device; only regular files are read and written',
  );
});

test('reads what comes from files under /proc, which claim a size of 0', async () => {
  const root = `/proc/${process.pid}` as AbsolutePath;
  const context = { workspace: { root, name: 'proc', hidden: hiddenFiles(root) } };
  const { content } = await toolBench({}, { context }).call(readFile, { path: 'status', limit: 2 });
  expect(content).toMatch(/^ {5}1→Name:\t.*\n {5}2→/);
});

test('a line at the end of a 3 GB file is reached without holding the file', async () => {
  const { files, asked } = watched();
  const bench = toolBench({}, { files });
  sparse(bench, 'huge.log', 3 * GB + 18, [
    [0, BEGINNING],
    [3 * GB, 'last but one\nlast\n'],
  ]);
  const before = process.memoryUsage().arrayBuffers;
  const { content } = await bench.call(readFile, { path: 'huge.log', offset: 20_482 });
  expect(content).toBe(' 20482→last\n\n(lines 20482–20482 of 20482, the end)');
  expect(Math.max(...asked.map(({ maxBytes }) => maxBytes))).toBeLessThanOrEqual(16 * MB);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(200 * MB);
}, 60_000);

test('far lines of a large text are the right ones, in every encoding that reads by lines', async () => {
  const count = 450_000;
  const text = Array.from({ length: count }, (_, n) => `line ${n + 1} ${'é'.repeat(14)}\n`).join('');
  const bench = toolBench({
    'utf8.log': text,
    'marked.log': `\uFEFF${text}`,
    'wide.log': Buffer.from(`\uFEFF${text}`, 'utf16le'),
    'big.log': Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  });
  for (const path of ['utf8.log', 'marked.log', 'wide.log', 'big.log']) {
    const { content } = await bench.call(readFile, { path, offset: 440_000, limit: 2 });
    expect(content.split('\n').slice(0, 2)).toEqual([
      `440000→line 440000 ${'é'.repeat(14)}`,
      `440001→line 440001 ${'é'.repeat(14)}`,
    ]);
    expect((await bench.call(readFile, { path, offset: count + 5 })).content).toBe(
      `read_file: offset ${count + 5} is past the end of ${path}, which has ${count} lines; read it from an earlier line`,
    );
    expect((await bench.call(readFile, { path, offset: count })).content).toMatch(/^450000→line 450000 é+\n/);
  }
  expect(bench.context.reads.seen('utf8.log' as RelativePath)).toBeUndefined();
}, 60_000);

test('a sparse file of a terabyte is named by its beginning, whatever line is asked for', async () => {
  const { files, asked } = watched();
  const bench = toolBench({}, { files });
  sparse(bench, 'disk.img', 1024 * GB, []);
  expect((await bench.call(readFile, { path: 'disk.img', offset: 5000 })).content).toBe(
    "disk.img is a binary file (1,099,511,627,776 bytes), which can't be shown. A command may tell more of it.",
  );
  expect(asked).toEqual([{ from: 0, maxBytes: MB }]);
});

test('lines of 10 MB are cut with a mark, and the next one is reached', async () => {
  const { call } = toolBench({ 'wide.json': `${'x'.repeat(10 * MB)}\n${'y'.repeat(10 * MB)}\nend\n` });
  const first = await call(readFile, { path: 'wide.json' });
  expect(first.content.slice(2000)).toMatch(
    /^x+… \(at least \d+ more characters in this line\)\n\n\(lines 1–1; go on with offset 2; cut lines: 1/,
  );
  expect((await call(readFile, { path: 'wide.json', offset: 3 })).content).toMatch(/^ {5}3→end\n/);
});

test('a stop ends the walk to a far line', async () => {
  const stop = new AbortController();
  const { files } = watched((call) => {
    if (call === 4) stop.abort(new Error('stopped'));
  });
  const bench = toolBench({}, { files, context: { signal: stop.signal } });
  sparse(bench, 'huge.log', 2 * GB, [[0, BEGINNING]]);
  await expect(bench.call(readFile, { path: 'huge.log', offset: 9_000_000 })).rejects.toThrow('stopped');
});

test('a file that is replaced while a far line is looked for is not mixed with the other', async () => {
  const { files } = watched((call) => {
    if (call === 4) renameSync(bench.folder.at('other.log'), bench.folder.at('huge.log'));
  });
  const bench = toolBench({ 'other.log': 'other\n' }, { files });
  sparse(bench, 'huge.log', GB, [[0, BEGINNING]]);
  expect((await bench.call(readFile, { path: 'huge.log', offset: 9_000_000 })).content).toBe(
    'read_file: huge.log was replaced while it was read; read it again',
  );
});

test('a file that grows or shrinks while it is read gives what was read, with the hash of just that', async () => {
  const { folder } = toolBench({ 'a.log': 'x'.repeat(40 * MB) });
  const path = folder.at('a.log');
  const growing = readRegularFile(path);
  appendFileSync(path, 'y'.repeat(100));
  const grown = await growing;
  const shrinking = readRegularFile(path);
  truncateSync(path, 10);
  const shrunk = await shrinking;
  const facts = [grown, shrunk].map(
    (read) => read.ok && [read.value.sha256 === sha256(read.value.bytes), read.value.more],
  );
  expect(facts).toEqual([
    [true, false],
    [true, false],
  ]);
  expect(grown.ok && grown.value.bytes.length).toBeGreaterThanOrEqual(40 * MB);
});

test('a file that may not be read, or is gone meanwhile, says so', async () => {
  const { files } = watched();
  const bench = toolBench({ 'locked.txt': 'x', 'gone.txt': 'x' }, { files });
  chmodSync(bench.folder.path, 0o755);
  chmodSync(bench.folder.at('locked.txt'), 0o200);
  const locked = await asOrdinaryUser(() => bench.call(readFile, { path: 'locked.txt' }));
  expect(locked.content).toBe(
    'read_file: locked.txt may not be changed or read by this user; check its permissions',
  );
  const disk = diskFiles();
  const vanishing: Files = {
    ...disk,
    async read(path, options) {
      unlinkSync(path);
      return disk.read(path, options);
    },
  };
  const late = toolBench({ 'gone.txt': 'x' }, { files: vanishing });
  expect((await late.call(readFile, { path: 'gone.txt' })).content).toMatch(
    /^read_file: .*gone\.txt.* does not exist/,
  );
});

test('a NUL inside text makes it binary; UTF-16 is text', async () => {
  const { call, folder } = toolBench({ 'nul.txt': 'before\n\0after\n' });
  writeFileSync(folder.at('wide.txt'), Buffer.from('hello\nthere\n', 'utf16le'));
  expect([
    (await call(readFile, { path: 'nul.txt' })).content,
    (await call(readFile, { path: 'wide.txt' })).content,
  ]).toEqual([
    "nul.txt is a binary file (14 bytes), which can't be shown. A command may tell more of it.",
    '     1→hello\n     2→there\n\n(encoding utf16le)',
  ]);
});
