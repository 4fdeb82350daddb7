import { expect, test } from 'vitest';
import { coreLab, openApp } from '#test/support/core-lab';
import { pngOf } from '#test/support/images';

const PNG = pngOf(8, 8);
const DATA = PNG.toString('base64');
const read = { calls: [{ id: 'c1', name: 'read_file', input: { path: 'a.png' } }] };

test('an image is in the conversation, also after a reload, and in no event and no line of the log', async () => {
  const lab = await coreLab({ workspace: { 'a.png': PNG } });
  await lab.turn('look', read, { text: 'A square.' });
  const images = [{ mediaType: 'image/png', data: DATA }];
  expect(lab.results().map((result) => result.images)).toEqual([images]);
  expect(lab.requests.at(-1)?.messages.at(-1)).toMatchObject({ kind: 'result', result: { images } });
  expect(JSON.stringify([lab.session.events(), lab.host.logged])).not.toContain(DATA);
  const { id } = lab.session;
  await lab.app.close();
  const again = (await openApp(lab.host, lab.folder, lab.model)).session(id);
  const results = again?.messages().flatMap((message) => (message.kind === 'result' ? [message.result] : []));
  expect(results?.map((result) => result.images)).toEqual([images]);
});

test('an attached image is described, with what to do to see it', async () => {
  const lab = await coreLab({ workspace: { 'a.png': PNG } });
  lab.model.play([{ text: 'ok' }]);
  await lab.session.send('look', [{ kind: 'file', path: 'a.png' }]);
  expect(lab.requests[0]?.messages[0]).toMatchObject({
    attached: `The person attached a.png:\na.png is a PNG image: 8 × 8 pixels, ${PNG.length} bytes.\n(to see it, read it with read_file)`,
  });
});
