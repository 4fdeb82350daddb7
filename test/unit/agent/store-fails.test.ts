import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Model, ModelEvent } from '#models/model';
import { type CoreLab, coreLab } from '#test/support/core-lab';

const EDIT = JSON.stringify({ path: 'a.txt', oldText: 'one', newText: 'two' });

/** Edits a file; on its second request something happens to the store. */
function editor(then: () => void): Model {
  let requests = 0;
  return {
    id: 'own/editor',
    name: 'Editor',
    providerName: 'Own',
    contextWindow: 100_000,
    async *stream(): AsyncIterable<ModelEvent> {
      requests++;
      if (requests === 1) {
        yield { kind: 'call', providerId: 'e1', name: 'edit_file', rawInput: EDIT };
        yield { kind: 'finish', reason: 'tool-calls', usage: {} };
        return;
      }
      if (requests === 2) then();
      yield { kind: 'text', delta: 'done' };
      yield { kind: 'text-end', text: 'done' };
      yield { kind: 'finish', reason: 'stop', usage: {} };
    },
  };
}

/** Nothing of this kind can be written until it is called. */
function full(lab: CoreLab, ...writes: readonly string[]): () => void {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const other = new DatabaseSync(join(lab.storage.path, 'belay.db'));
  for (const [at, write] of writes.entries())
    other.exec(`CREATE TRIGGER full${at} BEFORE ${write} BEGIN SELECT RAISE(ABORT, 'full'); END`);
  return () => {
    for (const at of writes.keys()) other.exec(`DROP TRIGGER full${at}`);
    other.close();
  };
}

/** A session whose first turn made a file, with a model that edits it. */
async function made(then: (lab: CoreLab) => void) {
  const lab = await coreLab();
  const make = { id: 'c1', name: 'write_file', input: { path: 'a.txt', content: 'one' } };
  await lab.turn('make', { calls: [make] }, { text: 'ok' });
  lab.models.set(
    'own/editor',
    editor(() => then(lab)),
  );
  lab.session.setModel('own/editor');
  return { lab, session: lab.session, text: () => readFileSync(lab.folder.at('a.txt'), 'utf8') };
}

const statuses = ({ session }: CoreLab) => session.transcript().turns.map(({ status }) => status);

test.each([
  ['its events', ['INSERT ON events']],
  ['its checkpoint', ['UPDATE ON checkpoints']],
  ['anything', ['INSERT ON events', 'UPDATE ON checkpoints', 'INSERT ON messages']],
])(
  'a turn that broke off since %s could not be written is undone once the store works again',
  async (_, writes) => {
    let mend: () => void = () => undefined;
    const { lab, session, text } = await made((the) => {
      mend = full(the, ...writes);
    });
    const status = await session.send('edit');
    const edited = text();
    mend();
    const { status: undone } = await session.undo(2, 'files');
    expect([status, edited, undone, text(), statuses(lab)]).toEqual([
      ...['failed', 'two', 'done', 'one'],
      ['done', 'failed'],
    ]);
    await session.redo();
    expect([text(), await session.send('and now?'), statuses(lab)]).toEqual([
      'two',
      'done',
      ['done', 'failed', 'done'],
    ]);
  },
);

test.each([
  ['its checkpoint', 'INSERT ON checkpoints'],
  ['its first event', 'INSERT ON events'],
])('where %s can’t be written a turn doesn’t begin, and what came before can be undone', async (_, write) => {
  const { lab, session } = await made(() => undefined);
  const mend = full(lab, write);
  const status = await session.send('edit');
  mend();
  const { status: undone } = await session.undo(1, 'files');
  expect([status, undone, statuses(lab)]).toEqual(['failed', 'done', ['done']]);
});

test('where the database was deleted no turn works, and what was done before can be undone', async () => {
  const { lab, session, text } = await made(() => undefined);
  await session.send('edit');
  for (const name of readdirSync(lab.storage.path))
    if (name.startsWith('belay.db')) rmSync(lab.storage.at(name));
  const status = await session.send('again');
  const { status: undone } = await session.undo(2, 'files');
  const first = text();
  await session.undo(1, 'files');
  expect([status, undone, first, existsSync(lab.folder.at('a.txt'))]).toEqual([
    ...['failed', 'done', 'one'],
    false,
  ]);
});
