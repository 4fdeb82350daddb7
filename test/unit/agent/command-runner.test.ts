import { expect, test } from 'vitest';
import { call, coreLab } from '#test/support/core-lab';

test('what a command changes on disk is told to the model and noted in its turn, what was there before is not', async () => {
  const lab = await coreLab({
    workspace: { 'kept.txt': 'one\n', 'look.txt': 'one\n' },
    settings: { mode: 'allow' },
  });
  const command = 'printf two > look.txt';
  await lab.turn(
    'x',
    { calls: [call('c1', 'run_command', { command, description: 'd' })] },
    { text: 'done' },
  );
  expect(lab.session.checkpoints().map(({ files, commandChanges }) => [files, commandChanges])).toMatchObject(
    [[[{ path: 'look.txt', operation: 'modify', added: 1, removed: 1, command }], []]],
  );
  expect(lab.results()[0]?.content).toContain('look.txt');
  expect(await lab.session.undo(1, 'files')).toMatchObject({ status: 'done', files: ['look.txt'] });
  expect(lab.folder.text('look.txt')).toBe('one\n');
});

test('values of secrets are taken out of what a command prints', async () => {
  const lab = await coreLab({ settings: { mode: 'allow' } });
  lab.host.keys.set('api-key', 'a-secret-value');
  const command = 'echo a-secret-value';
  await lab.turn(
    'x',
    { calls: [call('c1', 'run_command', { command, description: 'd' })] },
    { text: 'done' },
  );
  expect(lab.results()[0]?.content).toMatch(/^\[redacted: stored key\]$/m);
});

test('in folders that tools fill, only what the session wrote is looked at, from whichever turn', async () => {
  const lab = await coreLab({ settings: { mode: 'allow' } });
  const write = { path: 'dist/ours.txt', content: 'one\n' };
  await lab.turn('x', { calls: [call('c1', 'write_file', write)] }, { text: 'done' });
  const command = 'echo two > dist/ours.txt; echo two > dist/theirs.txt';
  await lab.turn(
    'y',
    { calls: [call('c2', 'run_command', { command, description: 'd' })] },
    { text: 'done' },
  );
  expect(lab.session.checkpoints().map(({ files }) => files)).toMatchObject([
    [{ path: 'dist/ours.txt', operation: 'create' }],
    [{ path: 'dist/ours.txt', operation: 'modify', command }],
  ]);
});
