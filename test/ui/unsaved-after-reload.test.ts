import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openFile } from '#test/ui/support/editors';
import { openBelay } from '#test/ui/support/open-belay';
import { callStates } from '#test/ui/support/panel-parts';
import { scriptedModel } from '#test/ui/support/scripted';

const FILES = { 'plan.md': 'as saved\n', 'other.md': 'something else\n' };
const edit = { path: 'plan.md', oldText: 'as saved', newText: 'as the agent has it' };
const remove = { path: 'plan.md' };

test('text unsaved in a background tab is still the person’s after Reload Window: it is neither edited nor deleted under them', async () => {
  const { settings, server } = await scriptedModel([
    { calls: [{ id: 'e', name: 'edit_file', input: edit }] },
    { calls: [{ id: 'd', name: 'delete_file', input: remove }] },
    { text: 'It is yours.' },
  ]);
  const belay = await openBelay({ files: FILES, settings: { ...settings, 'belay.mode': 'allow' } });
  const { workbench, folder } = belay;
  const { page } = workbench;
  const panel = await belay.openPanel();
  await panel.part('composer').waitFor();
  await openFile(workbench, 'plan.md');
  await page.keyboard.type('my words ');
  const unsaved = page.locator('.tab.dirty', { hasText: 'plan.md' });
  await unsaved.waitFor();
  await openFile(workbench, 'other.md');

  const reloaded = page.waitForEvent('load');
  await workbench.runCommand('Developer: Reload Window');
  await reloaded;

  // Behind the other tab nobody has looked at it in this window.
  await unsaved.and(page.locator('.tab:not(.active)')).waitFor();
  const again = await belay.openPanel();
  expect(await again.ended(await again.send('Change the plan'))).toBe('done');
  expect(await callStates(again)).toEqual({ edit_file: 'error', delete_file: 'error' });
  const told = JSON.stringify(server.requests.at(-1)?.body);
  expect(told.match(/\w+_file: plan\.md has unsaved changes by the user/g)).toEqual([
    'edit_file: plan.md has unsaved changes by the user',
    'delete_file: plan.md has unsaved changes by the user',
  ]);
  expect(readFileSync(path.join(folder, 'plan.md'), 'utf8')).toBe('as saved\n');
  await openFile(workbench, 'plan.md');
  await unsaved.waitFor();
  await page.locator('.view-line', { hasText: /my\swords\sas\ssaved/ }).waitFor();
});
