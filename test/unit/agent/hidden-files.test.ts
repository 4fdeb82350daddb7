import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { call, coreLab } from '#test/support/core-lab';
import { eventually } from '#test/support/eventually';

const command = 'name=secret; echo two > $name.txt; echo two > open.txt';

test('what a command without a sandbox changed of hidden files is noted for the person and not told to the model', async () => {
  const lab = await coreLab({
    workspace: { '.belayignore': 'secret.txt\n', 'secret.txt': 'one\n', 'open.txt': 'one\n' },
    settings: { mode: 'allow', sandbox: 'off' },
    answers: ['allow-once'],
  });
  await lab.turn(
    'x',
    { calls: [call('c1', 'run_command', { command, description: 'd' })] },
    { text: 'done' },
  );
  expect(lab.results()[0]?.content).toContain('open.txt');
  expect(lab.results()[0]?.content).not.toContain('secret.txt');
  expect(lab.session.checkpoints().flatMap(({ files }) => files.map(({ path }) => path))).toEqual([
    'open.txt',
    'secret.txt',
  ]);
});

test('a new deny of reading is masked from the next command on', async () => {
  const lab = await coreLab({
    workspace: { 'keys/a.txt': 'MARKER\n', 'run.sh': 'cat keys/a.txt; true\n' },
    settings: { mode: 'allow', sandbox: 'workspace-only', permissions: { deny: [], allow: [], ask: [] } },
    core: { assumeSandbox: false },
  });
  const run = () => {
    const input = { command: 'sh run.sh', description: `look ${lab.results().length}` };
    return lab.turn('x', { calls: [call('c1', 'run_command', input)] }, { text: 'done' });
  };
  await run();
  lab.host.configure({ permissions: { deny: ['Read(keys/**)'], allow: [], ask: [] } });
  await run();
  expect(lab.results().map(({ content }) => content.includes('MARKER'))).toEqual([true, false]);
});

test('denies of reading from the project’s and Claude Code’s files are masked', async () => {
  const deny = (path: string) => JSON.stringify({ permissions: { deny: [`Read(${path})`] } });
  const lab = await coreLab({
    workspace: {
      'a.txt': 'MARKER a\n',
      'b.txt': 'MARKER b\n',
      'c.txt': 'open c\n',
      'run.sh': 'cat a.txt b.txt c.txt; true\n',
      '.belay/settings.json': deny('a.txt'),
      '.claude/settings.json': deny('./b.txt'),
    },
    settings: { mode: 'allow', claudeSettings: true },
    core: { assumeSandbox: false },
  });
  const input = { command: 'sh run.sh', description: 'd' };
  await lab.turn('x', { calls: [call('c1', 'run_command', input)] }, { text: 'done' });
  const content = lab.results()[0]?.content;
  expect([content?.includes('MARKER'), content?.includes('open c')]).toEqual([false, true]);
});

test('a command that failed on a hidden file is not offered without the sandbox, and the model is told why', async () => {
  const lab = await coreLab({
    workspace: {
      '.belayignore': 'keys/\n',
      'keys/a.txt': 'MARKER\n',
      'hidden.sh': 'cat keys/a.txt || { echo x > /usr/x; exit 1; }\n',
      'other.sh': 'echo x > /usr/x\n',
    },
    settings: { mode: 'workspace-write', autoAllowReadOnly: false },
    answers: ['allow-once', 'allow-once', 'allow-once', 'allow-once'],
    core: { assumeSandbox: false },
  });
  for (const [at, command] of ['sh hidden.sh', 'sh hidden.sh', 'sh other.sh', 'sh other.sh'].entries()) {
    const input = { command, description: `d${at}` };
    await lab.turn('x', { calls: [call(`c${at}`, 'run_command', input)] }, { text: 'done' });
  }
  const asked = lab.host.asked.map(({ withoutSandbox, concerns }) => [
    withoutSandbox?.why,
    concerns.some((words) => words.startsWith('run without the sandbox, it could read')),
  ]);
  expect(asked).toEqual([
    [undefined, false],
    [undefined, false],
    [undefined, false],
    ['in the sandbox it failed: it wrote to a place that is read-only', true],
  ]);
  const [first, , third] = lab.results().map(({ content }) => content);
  expect(first).toContain('keys is hidden from commands, by .belayignore or by a rule');
  expect([first?.includes('without the sandbox'), third?.includes('without the sandbox')]).toEqual([
    false,
    true,
  ]);
});

test('what another program replaced while a command ran is named in its result, but for hidden names', async () => {
  const lab = await coreLab({
    workspace: { '.belayignore': 'a.pem\n', 'a.pem': 'MARKER\n', '.envrc': 'x\n', '.mcp.json': '{}\n' },
    settings: { mode: 'allow' },
    core: { assumeSandbox: false },
  });
  const command = 'echo ready > began; while [ ! -e done ]; do sleep 0.05; done';
  const turn = lab.turn(
    'x',
    { calls: [call('c', 'run_command', { command, description: 'd' })] },
    { text: 'ok' },
  );
  await eventually(() => expect(existsSync(lab.folder.at('began'))).toBe(true));
  for (const name of ['a.pem', '.envrc']) {
    writeFileSync(lab.folder.at('new'), 'new\n');
    renameSync(lab.folder.at('new'), lab.folder.at(name));
  }
  writeFileSync(lab.folder.at('done'), '');
  await turn;
  const content = lab.results()[0]?.content ?? '';
  expect([content.match(/changed the new ones: [^;]*/)?.[0], content.includes('a.pem')]).toEqual([
    'changed the new ones: .envrc, one file',
    false,
  ]);
});
