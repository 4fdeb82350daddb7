import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { coreLab } from '#test/support/core-lab';

const write = (id: string, path: string, content: string) => ({
  calls: [{ id, name: 'write_file', input: { path, content } }],
});
const EDIT = {
  calls: [
    { id: 'e1', name: 'edit_file', input: { path: 'a.txt', oldText: '1', newText: 'one' } },
    { id: 'e2', name: 'edit_file', input: { path: 'a.txt', oldText: '5', newText: 'five' } },
  ],
};

async function edited() {
  const lab = await coreLab();
  await lab.turn('make', write('c1', 'a.txt', '1\n2\n3\n4\n5\n'), { text: 'ok' });
  lab.session.review.keepAll();
  await lab.turn('edit', EDIT, { text: 'ok' });
  const text = () => readFileSync(lab.folder.at('a.txt'), 'utf8');
  return { lab, session: lab.session, text };
}

test('a changed block that is undone is recorded, shown in its turn, told to the model and redone', async () => {
  const { session, text } = await edited();
  const outcome = await session.review.undoHunk({ path: 'a.txt', line: 1, side: 'now' });
  const undone = text();
  const shown = session
    .transcript()
    .turns.at(-1)
    ?.checkpoint?.files.map(({ path, added, removed }) => [path, added, removed]);
  const note = JSON.stringify(session.messages().at(-1));
  await session.redo();
  expect([outcome.status, undone, shown, note.includes('took back in part'), text()]).toEqual([
    'done',
    '1\n2\n3\n4\nfive\n',
    [['a.txt', 1, 1]],
    true,
    'one\n2\n3\n4\nfive\n',
  ]);
});

test('keeping is an event that changes no file, and names what it kept', async () => {
  const { session, text } = await edited();
  const before = text();
  await session.review.keepHunk({ path: 'a.txt', line: 5, side: 'now' });
  const left = await session.review.changes();
  session.review.keep(['a.txt']);
  const kept = session
    .events()
    .flatMap((event) => (event.type === 'files.kept' ? [[event.paths, event.hunks]] : []));
  expect([
    left.map(({ added, removed }) => [added, removed]),
    await session.review.changes(),
    kept,
    text(),
  ]).toEqual([
    [[1, 1]],
    [],
    [
      [undefined, undefined],
      [undefined, [{ path: 'a.txt', line: 5, lines: 1 }]],
      [['a.txt'], undefined],
    ],
    before,
  ]);
});

test('undo of what waits leaves what was kept of the same file', async () => {
  const { session, text } = await edited();
  await session.review.keepHunk({ path: 'a.txt', line: 1, side: 'now' });
  const outcome = await session.undo(2, 'files', { paths: ['a.txt'], review: true });
  expect([outcome.status, text()]).toEqual(['done', 'one\n2\n3\n4\n5\n']);
});

test('a file that a person changed since is compared by what Belay left and what undo would bring back', async () => {
  const { lab, session, text } = await edited();
  writeFileSync(lab.folder.at('a.txt'), 'mine\n');
  const sides = session.sides(2, 'a.txt');
  const content = async (state: NonNullable<typeof sides>['before'] | undefined) =>
    state?.kind === 'file'
      ? Buffer.from((await lab.app.keptContent(state.sha256)) ?? []).toString()
      : undefined;
  expect([await content(sides?.before), await content(sides?.after), text()]).toEqual([
    '1\n2\n3\n4\n5\n',
    'one\n2\n3\n4\nfive\n',
    'mine\n',
  ]);
});
