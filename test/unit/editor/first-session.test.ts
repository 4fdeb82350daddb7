import { expect, test } from 'vitest';
import { firstSession } from '#editor/first-session';
import { coreLab } from '#test/support/core-lab';

const model = async () => 'demo/offline';

test('a window begins with the session that it showed last', async () => {
  const { app, session } = await coreLab();
  app.createSession();
  expect((await firstSession(app, session.id, model)).id).toBe(session.id);
});

test('where the last one is of another folder, with the latest of this one', async () => {
  const { app } = await coreLab();
  const latest = app.sessions()[0]?.id;
  const count = app.sessions().length;
  const first = await firstSession(app, 'of another folder', model);
  expect([first.id, app.sessions().length]).toEqual([latest, count]);
});

test('and where there is none, with a new one on the preferred model', async () => {
  const { app } = await coreLab();
  const none = { ...app, sessions: () => [] };
  const first = await firstSession(none, undefined, model);
  expect(first.transcript().modelId).toBe('demo/offline');
});
