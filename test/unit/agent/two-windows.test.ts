import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createApp } from '#app';
import { ScriptedModel } from '#headless/scripted-model';
import { call, coreLab, openApp } from '#test/support/core-lab';
import { type MemoryHost, memoryHost } from '#test/support/memory-host';
import { tempFolder } from '#test/support/temp-folder';

/** A host of another window: its ids are its own. */
function otherHost(storage: string): MemoryHost {
  let ids = 0;
  return { ...memoryHost({ storage }), random: { id: () => `other${++ids}` } };
}

const write = (path: string, content: string) => ({ calls: [call(path, 'write_file', { path, content })] });

test('ST-04 two windows show one session and both send: the second writes nothing, says so, and may fork or take over', async () => {
  const lab = await coreLab();
  await lab.turn('first', { text: 'ok' });
  const model = new ScriptedModel(() => undefined);
  const second = await openApp(otherHost(lab.storage.path), lab.folder, model);
  const there = second.session(lab.session.id);
  if (!there) throw new Error('not found');
  lab.model.play([write('a.txt', 'of the first window'), { text: 'one' }]);
  model.play([write('b.txt', 'of the second window'), { text: 'two' }]);
  const ends = await Promise.all([lab.session.send('from the first'), there.send('from the second')]);
  expect([ends, there.elsewhere, lab.session.elsewhere]).toEqual([['done', 'failed'], true, false]);
  const prompts = () =>
    lab.session.events().flatMap((event) => (event.type === 'turn.started' ? [event.prompt] : []));
  expect(prompts()).toEqual(['first', 'from the first']);
  expect([existsSync(join(lab.folder.path, 'a.txt')), existsSync(join(lab.folder.path, 'b.txt'))]).toEqual([
    true,
    false,
  ]);
  const sequences = lab.session.events().map(({ sequence }) => sequence);
  expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  expect(await there.undo(2, 'files')).toEqual({
    status: 'nothing',
    why: 'Another window works in this session. Take it over first.',
  });
  // The way on in the second window: a fork of its own, while the first goes on.
  const forked = second.fork(lab.session.id);
  if (!forked.ok) throw new Error(forked.error);
  model.play([write('b.txt', 'of the fork'), { text: 'two' }]);
  lab.model.play([{ text: 'three' }]);
  expect(await Promise.all([forked.value.send('from the second'), lab.session.send('again')])).toEqual([
    'done',
    'done',
  ]);
  expect(prompts()).toEqual(['first', 'from the first', 'again']);
  expect(forked.value.transcript().turns.map(({ prompt }) => prompt)).toEqual([
    'first',
    'from the first',
    'from the second',
  ]);
});

test('ST-06 a session whose folder is gone is kept and listed by storage, and can be deleted from there', async () => {
  const gone = tempFolder({ 'a.txt': 'a' });
  const lab = await coreLab();
  const host = otherHost(lab.storage.path);
  const model = new ScriptedModel(() => undefined);
  const app = await openApp(host, gone, model);
  const session = app.createSession({ modelId: model.id });
  model.play([{ text: 'ok' }]);
  const title = '× 😀 \u{d83d} end';
  await session.send(title);
  await app.close();
  rmSync(gone.path, { recursive: true });
  const refused = await createApp(host, {
    folder: gone.path,
    models: { get: async () => ({ ok: true, value: model }) },
  });
  expect(refused).toMatchObject({ ok: false, error: { title: 'The folder is gone' } });
  const shown = lab.app.storage.usage().sessions.find(({ id }) => id === session.id);
  expect(shown).toMatchObject({ title, folder: gone.path });
  // From another folder it isn't opened by mistake: it says where it isn't.
  expect(lab.app.session(session.id)).toBeUndefined();
  expect(lab.app.fork(session.id)).toEqual({ ok: false, error: 'That session is not in this folder.' });
  expect((await lab.app.storage.deleteSession(session.id)).ok).toBe(true);
  expect(lab.app.storage.usage().sessions.map(({ id }) => id)).toEqual([lab.session.id]);
});
