import { expect, test } from 'vitest';
import { forbiddenTools, permittedMode, permittedModes } from '#gates/settings-files/forbids';
import { coreLab } from '#test/support/core-lab';
import { BUILTIN_TOOLS } from '#tools/builtin';
import { settingsLab } from './lab';

const filesOf = async (forbid: object) =>
  (await settingsLab({ policy: JSON.stringify({ forbid }) })).loader.current();

test.each([
  [['allow'], 'allow', 'workspace-write'],
  [['danger-full-access'], 'danger-full-access', 'allow'],
  [['danger-full-access', 'allow', 'workspace-write'], 'danger-full-access', 'prompt'],
  [['prompt', 'workspace-write'], 'workspace-write', 'read-only'],
  [['read-only'], 'read-only', 'read-only'],
  [['allow'], 'prompt', 'prompt'],
] as const)('where %j is forbidden the mode %s becomes %s', async (modes, wanted, left) => {
  expect(permittedMode(wanted, await filesOf({ modes }))).toBe(left);
});

test('reading is always left', async () => {
  const modes = ['read-only', 'prompt', 'workspace-write', 'allow', 'danger-full-access'];
  expect(permittedModes(await filesOf({ modes }))).toEqual(['read-only']);
});

test('a forbidden tool is found by its name, its group, a capability or a risk', async () => {
  const names = async (...tools: string[]) =>
    [...forbiddenTools(BUILTIN_TOOLS, await filesOf({ tools }))].sort();
  expect(await names('delete_file')).toEqual(['delete_file']);
  expect(await names('Bash')).toEqual(await names('@process.execute'));
  expect(await names('Edit')).toEqual(expect.arrayContaining(['edit_file', 'write_file']));
  expect(await names('risk:execute')).toContain('run_command');
  expect(await names()).toEqual([]);
});

test('the model is not shown a forbidden tool, and a session has no forbidden mode', async () => {
  const policy = JSON.stringify({ forbid: { modes: ['workspace-write', 'allow'], tools: ['run_command'] } });
  const lab = await coreLab({ core: { policy } });
  lab.session.setMode('allow');
  await lab.turn('x', { text: 'hello' });
  const shown = lab.requests[0]?.tools.map(({ name }) => name) ?? [];
  expect([lab.session.transcript().mode, shown.includes('run_command'), shown.includes('read_file')]).toEqual(
    ['prompt', false, true],
  );
});
