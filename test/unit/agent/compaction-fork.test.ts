import { expect, test } from 'vitest';
import { call, coreLab } from '#test/support/core-lab';

const BIG = 'A line of some words that fill the file.\n'.repeat(220);

test('a fork takes the compaction along, and going back in it brings back what was left out', async () => {
  const lab = await coreLab({ contextWindow: 200_000 });
  for (let n = 1; n <= 3; n++)
    await lab.turn(`Question ${n}?`, { text: `Answer ${n}. ${'word '.repeat(1200)}` });
  lab.model.play([{ text: 'NOTES BY HAND.' }]);
  await lab.session.compact();
  const forked = lab.app.fork(lab.session.id);
  if (!forked.ok) throw new Error(forked.error);
  lab.model.play([{ text: 'Yes.' }]);
  await forked.value.send('In the fork?');
  const sent = JSON.stringify(lab.requests.at(-1)?.messages);
  expect(sent).toContain('NOTES BY HAND.');
  expect(sent).not.toContain('Answer 1.');

  await forked.value.undo(3, 'session');
  lab.model.play([{ text: 'Again.' }]);
  await forked.value.send('Once more?');
  const again = JSON.stringify(lab.requests.at(-1)?.messages);
  expect(again).toContain('Answer 1.');
  expect(again).not.toContain('NOTES BY HAND.');
});

test('in a fork an output that was left out is still read by its id', async () => {
  const lab = await coreLab({ workspace: { 'a.txt': BIG }, contextWindow: 12_000, answers: ['allow-once'] });
  const shown = { calls: [call('c', 'run_command', { command: 'cat a.txt', description: 'Shows a' })] };
  const reads = [1, 2, 3].map((n) => ({ calls: [call(`r${n}`, 'read_file', { path: 'a.txt' })] }));
  await lab.turn('Go.', shown, ...reads, { text: 'Done.' });
  const id = /under the id ([\w-]+)\./.exec(JSON.stringify(lab.requests.at(-1)?.messages))?.[1] ?? 'none';
  const forked = lab.app.fork(lab.session.id);
  if (!forked.ok) throw new Error(forked.error);
  expect(await lab.app.artifact(forked.value.id, id)).toContain('A line of some words');
});
