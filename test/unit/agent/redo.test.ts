import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { coreLab } from '#test/support/core-lab';

const MAKE = { calls: [{ id: 'c1', name: 'write_file', input: { path: 'a.txt', content: 'one' } }] };
const CHANGE = {
  calls: [{ id: 'c2', name: 'edit_file', input: { path: 'a.txt', oldText: 'one', newText: 'two' } }],
};

test('what the model is told of a redo of files is nothing said: the conversation can still be redone', async () => {
  const { turn, session, folder } = await coreLab();
  await turn('make', MAKE, { text: 'ok' });
  await turn('change', CHANGE, { text: 'ok' });
  await session.undo(2, 'all');
  const undone = readFileSync(folder.at('a.txt'), 'utf8');
  await session.redo('files');
  const note = JSON.stringify(session.messages().at(-1));
  const prompts = () => session.transcript().turns.map(({ prompt }) => prompt);
  const before = prompts();
  expect([undone, note.includes('brought back your changes to: a.txt'), before, session.canRedo()]).toEqual([
    'one',
    true,
    ['make'],
    true,
  ]);
  await session.redo();
  expect([readFileSync(folder.at('a.txt'), 'utf8'), prompts()]).toEqual(['two', ['make', 'change']]);
});
