import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sha256 } from '#base/hash';
import type { PassedCall } from '#gates/context';
import { createWriter, type WriterOptions } from '#gates/writer';
import type { RelativePath, Sha256 } from '#protocol/ids';
import { bench } from './bench';

const at = (path: string) => path as RelativePath;
const hash = (text: string) => sha256(text) as Sha256;
const bytes = new TextEncoder().encode('new');

/** A journal that lands on the real disk and remembers what it was given. */
async function writerFor(
  tool: string,
  input: unknown,
  files: Record<string, string>,
  setUp?: (root: string) => void,
) {
  const gates = bench({ files, mode: 'allow' });
  setUp?.(gates.folder.path);
  const landed: string[][] = [];
  const journal: WriterOptions['journal'] = {
    async write(landing) {
      const name = (path: string) => path.slice(gates.folder.path.length + 1);
      landed.push([
        landing.kind,
        name(landing.path),
        ...(landing.kind === 'rename' ? [name(landing.to)] : []),
      ]);
      return gates.host.files.land(landing);
    },
  };
  const passed = (await gates.walk(tool, input)) as PassedCall;
  expect(passed.kind).toBe('passed');
  const writer = createWriter({
    journal,
    passed,
    ports: gates.context.ports,
    mayWrite: (path) => path === 'found.txt' || path === 'link.txt',
    signal: gates.stop.signal,
  });
  return { gates, landed, writer };
}

test('what the call was allowed is written through the journal', async () => {
  const { writer, landed, gates } = await writerFor(
    'write_file',
    { path: 'src/../new.txt', content: 'x' },
    {},
  );
  const done = await writer.create(at('new.txt'), bytes);
  expect(done).toMatchObject({ ok: true, value: { after: { sha256: sha256('new'), bytes: 3 } } });
  expect([landed, gates.folder.text('new.txt')]).toEqual([[['create', 'new.txt']], 'new']);
});

test('a path that was not among the touches is refused and nothing reaches the journal', async () => {
  const { writer, landed } = await writerFor(
    'write_file',
    { path: 'new.txt', content: 'x' },
    { 'other.txt': 'o' },
  );
  const tries = [
    await writer.create(at('second.txt'), bytes),
    await writer.replace(at('other.txt'), bytes, hash('o')),
    await writer.delete(at('new.txt'), hash('x')),
    await writer.rename(at('new.txt'), at('other2.txt'), hash('x')),
    await writer.create(at('../outside.txt'), bytes),
  ];
  expect(tries.map((tried) => !tried.ok && tried.error.kind)).toEqual(tries.map(() => 'denied'));
  expect(landed).toEqual([]);
});

test('a call that may delete may not create', async () => {
  const { writer } = await writerFor('delete_file', { path: 'a.txt' }, { 'a.txt': 'a' });
  expect(await writer.replace(at('a.txt'), bytes, hash('a'))).toMatchObject({ ok: false });
  expect(await writer.delete(at('a.txt'), hash('a'))).toMatchObject({ ok: true });
});

test('a rename is allowed at both of its ends only', async () => {
  const { writer, landed } = await writerFor('rename_file', { from: 'a.txt', to: 'b.txt' }, { 'a.txt': 'a' });
  expect(await writer.rename(at('a.txt'), at('c.txt'), hash('a'))).toMatchObject({ ok: false });
  expect(await writer.rename(at('a.txt'), at('b.txt'), hash('a'))).toMatchObject({ ok: true });
  expect(landed).toEqual([['rename', 'a.txt', 'b.txt']]);
});

test('a folder swapped for a symlink after the approval leads nowhere', async () => {
  const { writer, gates, landed } = await writerFor(
    'write_file',
    { path: 'src/tasks.json', content: 'x' },
    { 'src/keep.txt': 'k', '.vscode/settings.json': '{}' },
  );
  rmSync(gates.folder.at('src'), { recursive: true });
  symlinkSync('.vscode', gates.folder.at('src'));
  expect(await writer.create(at('src/tasks.json'), bytes)).toMatchObject({
    ok: false,
    error: { kind: 'changed' },
  });
  expect(landed).toEqual([]);
});

test('a folder swapped for a symlink out of the workspace is refused', async () => {
  const { writer, gates, landed } = await writerFor(
    'write_file',
    { path: 'src/x.txt', content: 'x' },
    { 'src/keep.txt': 'k' },
  );
  rmSync(gates.folder.at('src'), { recursive: true });
  symlinkSync('/tmp', gates.folder.at('src'));
  expect(await writer.create(at('src/x.txt'), bytes)).toMatchObject({ ok: false, error: { kind: 'denied' } });
  expect(landed).toEqual([]);
});

test('a file behind a symlink that was there at the approval is written where it leads', async () => {
  const { writer, gates } = await writerFor(
    'write_file',
    { path: 'link/new.txt', content: 'x' },
    {},
    (root) => {
      mkdirSync(`${root}/real`);
      symlinkSync('real', `${root}/link`);
    },
  );
  expect(await writer.create(at('real/new.txt'), bytes)).toMatchObject({ ok: true });
  expect(gates.folder.text('real/new.txt')).toBe('new');
});

test('nothing is begun after a stop', async () => {
  const { writer, gates, landed } = await writerFor('write_file', { path: 'new.txt', content: 'x' }, {});
  gates.stop.abort(new Error('stopped'));
  await expect(writer.create(at('new.txt'), bytes)).rejects.toThrow('stopped');
  expect(landed).toEqual([]);
});

test('a file that the call came upon is changed where the permissions let it, and only as itself', async () => {
  const { writer, landed } = await writerFor(
    'rename_file',
    { from: 'a.txt', to: 'b.txt' },
    { 'a.txt': 'a', 'found.txt': 'old', 'held.txt': 'old', 'target.txt': 'old' },
    (root) => symlinkSync('target.txt', `${root}/link.txt`),
  );
  const outcomes = [];
  for (const path of ['found.txt', 'held.txt', 'link.txt', '../out.txt'])
    outcomes.push(await writer.replaceFound(at(path), bytes, hash('old')));
  expect(outcomes.map((outcome) => outcome.ok || outcome.error.kind)).toEqual([
    true,
    'denied',
    'denied',
    'denied',
  ]);
  expect(landed).toEqual([['replace', 'found.txt']]);
});
