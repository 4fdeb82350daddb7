import { linkSync, lstatSync, readlinkSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RelativePath } from '#protocol/ids';
import { type Bench, toolBench } from '#test/support/tool-context';
import { editFile } from '#tools/files/edit-file';
import { readFile } from '#tools/files/read-file';
import { writeFile } from '#tools/files/write-file';

/** Reads the file, then edits it. */
async function readAndEdit(bench: Bench, path: string, oldText: string, newText: string) {
  await bench.call(readFile, { path });
  return bench.call(editFile, { path, oldText, newText });
}

test('edits a file that was read, and shows people the lines', async () => {
  const bench = toolBench({ 'a.ts': 'one\ntwo\nthree\n' });
  expect(await readAndEdit(bench, 'a.ts', 'two', 'TWO')).toEqual({
    version: 1,
    status: 'success',
    content: 'Edited a.ts: 1 replacement at line 2.',
    display: {
      kind: 'diff',
      title: 'a.ts',
      path: 'a.ts',
      operation: 'modify',
      added: 1,
      removed: 1,
      hunks: [{ oldStart: 1, newStart: 1, lines: [' one', '-two', '+TWO', ' three'] }],
    },
  });
  expect(bench.folder.text('a.ts')).toBe('one\nTWO\nthree\n');
});

test('an edit of its own needs no new read', async () => {
  const bench = toolBench({ 'a.ts': 'one\n' });
  await readAndEdit(bench, 'a.ts', 'one', 'two');
  expect((await bench.call(editFile, { path: 'a.ts', oldText: 'two', newText: 'three' })).status).toBe(
    'success',
  );
});

test('refuses a file that was not read, or has changed since', async () => {
  const bench = toolBench({ 'a.ts': 'one\n' });
  const unread = await bench.call(editFile, { path: 'a.ts', oldText: 'one', newText: 'two' });
  expect(unread).toMatchObject({
    code: 'rejected_arguments',
    content: 'edit_file: a.ts has not been read yet; read it first',
  });
  await bench.call(readFile, { path: 'a.ts' });
  bench.folder.write({ 'a.ts': 'one \n' });
  const changed = await bench.call(editFile, { path: 'a.ts', oldText: 'one', newText: 'two' });
  expect(changed).toMatchObject({
    code: 'rejected_arguments',
    content: 'edit_file: a.ts has changed since it was read; read it again',
  });
  expect(bench.folder.text('a.ts')).toBe('one \n');
});

test('goes by content: a touched file, or one written again with the same bytes, is not stale', async () => {
  const bench = toolBench({ 'a.ts': 'one\ntwo\n' });
  await bench.call(readFile, { path: 'a.ts' });
  utimesSync(bench.folder.at('a.ts'), 1, 1);
  const touched = await bench.call(editFile, { path: 'a.ts', oldText: 'one', newText: '1' });
  rmSync(bench.folder.at('a.ts'));
  bench.folder.write({ 'a.ts': '1\ntwo\n' });
  const again = await bench.call(editFile, { path: 'a.ts', oldText: 'two', newText: '2' });
  expect([touched.status, again.status, bench.folder.text('a.ts')]).toEqual(['success', 'success', '1\n2\n']);
});

test('a change that keeps time and size of the file is noticed', async () => {
  const bench = toolBench({ 'a.ts': 'one\n' });
  utimesSync(bench.folder.at('a.ts'), 1, 1);
  await bench.call(readFile, { path: 'a.ts' });
  bench.folder.write({ 'a.ts': 'eno\n' });
  utimesSync(bench.folder.at('a.ts'), 1, 1);
  expect((await bench.call(editFile, { path: 'a.ts', oldText: 'e', newText: 'E' })).content).toMatch(
    /has changed since it was read; read it again$/,
  );
});

test('any page that was shown lets the whole file be edited; a new file of the model counts as read', async () => {
  const bench = toolBench({ 'a.ts': 'one\ntwo\nthree\n' });
  await bench.call(readFile, { path: 'a.ts', offset: 3 });
  const other = await bench.call(editFile, { path: 'a.ts', oldText: 'one', newText: '1' });
  await bench.call(writeFile, { path: 'new.ts', content: 'four\n' });
  const own = await bench.call(editFile, { path: 'new.ts', oldText: 'four', newText: '4' });
  expect([other.status, own.status]).toEqual(['success', 'success']);
});

test('looks at the file once for validation and execution, unless it changes in between', async () => {
  const bench = toolBench({ 'a.ts': 'one\n' });
  await bench.call(readFile, { path: 'a.ts' });
  const input = { path: 'a.ts', oldText: 'one', newText: 'two' };
  const reads: string[] = [];
  const files = {
    ...bench.context.files,
    read: (...asked: Parameters<typeof bench.host.files.read>) => {
      reads.push(asked[0]);
      return bench.host.files.read(...asked);
    },
  };
  const context = { ...bench.context, files };
  expect(await editFile.validate?.(input, context)).toBeUndefined();
  bench.folder.write({ 'a.ts': 'ONE one\n' });
  await expect(editFile.execute(input, context)).rejects.toThrow('a.ts has changed since it was read');
  bench.folder.write({ 'a.ts': 'one\n' });
  expect([await editFile.validate?.(input, context), reads.length]).toEqual([undefined, 3]);
  bench.host.dirty.set(bench.folder.at('a.ts'), 'one!\n');
  await expect(editFile.execute(input, context)).rejects.toThrow('unsaved changes by the user');
  bench.host.dirty.clear();
  await editFile.execute(input, context);
  expect([bench.folder.text('a.ts'), reads.length]).toEqual(['two\n', 3]);
});

test('an edit planned for one folder is none for another', async () => {
  const input = { path: 'a.ts', oldText: 'one', newText: 'two' };
  const [bench, other] = [toolBench({ 'a.ts': 'one\n' }), toolBench({ 'a.ts': 'one\n' })];
  await bench.call(readFile, { path: 'a.ts' });
  await other.call(readFile, { path: 'a.ts' });
  await editFile.validate?.(input, bench.context);
  await editFile.execute(input, other.context);
  expect([bench.folder.text('a.ts'), other.folder.text('a.ts')]).toEqual(['one\n', 'two\n']);
});

test('refuses a file with unsaved changes', async () => {
  const bench = toolBench({ 'a.ts': 'one\n' });
  bench.host.dirty.set(bench.folder.at('a.ts'), 'one!\n');
  const result = await readAndEdit(bench, 'a.ts', 'one', 'two');
  expect(result.content).toBe(
    'edit_file: a.ts has unsaved changes by the user; ask them to save, then read it again',
  );
});

test('a file read while unsaved can be edited once it was saved as it stood', async () => {
  const bench = toolBench({ 'a.ts': 'one\n' });
  bench.host.dirty.set(bench.folder.at('a.ts'), 'two\n');
  await bench.call(readFile, { path: 'a.ts' });
  bench.host.dirty.clear();
  bench.folder.write({ 'a.ts': 'two\n' });
  expect((await bench.call(editFile, { path: 'a.ts', oldText: 'two', newText: 'three' })).status).toBe(
    'success',
  );
});

test('ED-04 keeps exactly one byte order mark', async () => {
  const bench = toolBench({ 'a.py': '\uFEFFimport os\n' });
  await readAndEdit(bench, 'a.py', 'import os', 'import sys');
  expect(bench.folder.bytes('a.py').toString('hex')).toBe(Buffer.from('\uFEFFimport sys\n').toString('hex'));
});

test('ED-01 ED-02 ED-03 leaves a file in another encoding as it was', async () => {
  const latin = Buffer.concat([
    Buffer.from('// caf\xe9\n'.repeat(300), 'latin1'),
    Buffer.from('if (a == 1) {}\n'),
  ]);
  const bench = toolBench({ 'latin.php': latin });
  const result = await readAndEdit(bench, 'latin.php', 'a == 1', 'a != 1');
  expect(result).toMatchObject({
    status: 'error',
    content: expect.stringMatching(/not UTF-8 text.*left untouched/),
  });
  expect(bench.folder.bytes('latin.php').equals(latin)).toBe(true);
  expect(bench.written).toEqual([]);
});

test('ED-22 writes through a link and leaves it a link; a hard link stays one', async () => {
  const bench = toolBench({ 'real/conf': 'a=1\n', 'one.txt': 'x\n' });
  symlinkSync('real/conf', bench.folder.at('link'));
  await readAndEdit(bench, 'link', 'a=1', 'a=2');
  expect([
    lstatSync(bench.folder.at('link')).isSymbolicLink(),
    readlinkSync(bench.folder.at('link')),
  ]).toEqual([true, 'real/conf']);
  expect(bench.folder.text('real/conf')).toBe('a=2\n');
  linkSync(bench.folder.at('one.txt'), bench.folder.at('two.txt'));
  const result = await readAndEdit(bench, 'one.txt', 'x', 'y');
  expect(result.content).toMatch(/several hard links/);
  expect([statSync(bench.folder.at('one.txt')).nlink, bench.folder.text('two.txt')]).toEqual([2, 'y\n']);
});

test('keeps the mode of a script', async () => {
  const bench = toolBench({ 's.sh': '#!/bin/sh\necho a\n' });
  bench.folder.chmod('s.sh', 0o755);
  await readAndEdit(bench, 's.sh', 'echo a', 'echo b');
  expect(statSync(bench.folder.at('s.sh')).mode & 0o777).toBe(0o755);
});

test('applies several edits or none', async () => {
  const bench = toolBench({ 'a.ts': 'a\nb\n' });
  await bench.call(readFile, { path: 'a.ts' });
  const edits = [
    { oldText: 'a', newText: 'A' },
    { oldText: 'zzz', newText: 'Z' },
  ];
  expect((await bench.call(editFile, { path: 'a.ts', edits })).content).toMatch(
    /^edit_file: a\.ts: edit 2 of 2: oldText was not found/,
  );
  expect(bench.folder.text('a.ts')).toBe('a\nb\n');
  const good = [
    { oldText: 'a', newText: 'A' },
    { oldText: 'b', newText: 'B' },
  ];
  expect((await bench.call(editFile, { path: 'a.ts', edits: good })).content).toBe(
    'Edited a.ts: 2 replacements at lines 1, 2.',
  );
  expect(bench.folder.text('a.ts')).toBe('A\nB\n');
});

test('names the rule when edits and oldText are mixed or missing', async () => {
  const { call } = toolBench({ 'a.ts': 'a' });
  const mixed = await call(editFile, {
    path: 'a.ts',
    oldText: 'a',
    newText: 'b',
    edits: [{ oldText: 'a', newText: 'b' }],
  });
  expect(mixed).toMatchObject({
    code: 'invalid_arguments',
    content: 'give either edits or oldText and newText, not both',
  });
  expect(await call(editFile, { path: 'a.ts' })).toMatchObject({ code: 'invalid_arguments' });
});

test('ED-10 refuses an empty oldText and changes nothing', async () => {
  const bench = toolBench({ 'existing.txt': 'keep me\n' });
  const result = await readAndEdit(bench, 'existing.txt', '', 'x');
  expect(result).toMatchObject({
    code: 'rejected_arguments',
    content: expect.stringMatching(/oldText is empty/),
  });
  expect(bench.folder.text('existing.txt')).toBe('keep me\n');
});

test('ED-06 previews exactly what it will write', async () => {
  const bench = toolBench({ 'a.txt': 'x\r\ny\r\nz\r\n' });
  await bench.call(readFile, { path: 'a.txt' });
  const input = { path: 'a.txt', oldText: 'x\ny', newText: 'x\nY' };
  const preview = await editFile.preview?.(input, bench.context);
  const result = await bench.call(editFile, input);
  expect(result.display).toEqual(preview);
  expect(bench.folder.text('a.txt')).toBe('x\r\nY\r\nz\r\n');
});

test('tells what saving changed further, and takes it as known', async () => {
  const bench = toolBench({ 'a.ts': 'a\n' });
  const { writer, files } = bench.context;
  const formatting = {
    ...writer,
    replace: async (...args: Parameters<typeof writer.replace>) => {
      const done = await writer.replace(...args);
      bench.folder.write({ 'a.ts': 'const b = 1;\n' });
      const now = await files.read(bench.folder.at('a.ts'));
      if (!done.ok || !now.ok) return done;
      return { ok: true as const, value: { ...done.value, after: { sha256: now.value.sha256, bytes: 13 } } };
    },
  };
  await bench.call(readFile, { path: 'a.ts' });
  const context = { ...bench.context, writer: formatting };
  const result = await editFile.execute({ path: 'a.ts', oldText: 'a', newText: 'const b=1' }, context);
  expect(result).toMatchObject({
    content:
      'Edited a.ts: 1 replacement at line 1.\nsaving changed the file further:\nat line 1:\n-const b=1\n+const b = 1;',
  });
  expect((await bench.call(editFile, { path: 'a.ts', oldText: 'b = 1', newText: 'c = 1' })).status).toBe(
    'success',
  );
});

test('an edit of a partly read file does not count as having seen it whole', async () => {
  const bench = toolBench({ 'a.ts': 'a\nb\nc\n' });
  await bench.call(readFile, { path: 'a.ts', limit: 1 });
  await bench.call(editFile, { path: 'a.ts', oldText: 'a', newText: 'A' });
  expect(bench.context.reads.seen('a.ts' as RelativePath)?.whole).toBe(false);
});

test('refuses without authorization', async () => {
  const bench = toolBench({ 'a.ts': 'a\n' });
  const context = { ...bench.context, authorized: false };
  await expect(editFile.execute({ path: 'a.ts', oldText: 'a', newText: 'b' }, context)).rejects.toThrow(
    /did not pass the gates/,
  );
});

test('refuses a file over 1 MB', async () => {
  const bench = toolBench({ 'big.txt': 'x'.repeat(1024 * 1024 + 1) });
  expect((await readAndEdit(bench, 'big.txt', 'x', 'y')).content).toMatch(/is over 1 MB/);
});

test('a file that is hidden while a person decides is not changed', async () => {
  const { call, context, folder } = toolBench({ 'a.txt': 'x\n' });
  await call(readFile, { path: 'a.txt' });
  const input = editFile.inputSchema.parse({ path: 'a.txt', oldText: 'x', newText: 'y' });
  expect(await editFile.validate?.(input, context)).toBeUndefined();
  folder.write({ '.belayignore': 'a.txt\n' });
  await expect(editFile.execute(input, context)).rejects.toThrow('"a.txt" is hidden by ".belayignore"');
  expect(folder.text('a.txt')).toBe('x\n');
});
