import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openCheckpoints, TURN_ROW } from '#test/ui/support/checkpoints';
import { openBelay } from '#test/ui/support/open-belay';
import { scriptedModel } from '#test/ui/support/scripted';

const FILES = { 'one.txt': 'the first\n', 'two.txt': 'the second\n' };

/** A turn of one command. */
function commanding(id: string, command: string) {
  return [
    { calls: [{ id, name: 'run_command', input: { command, description: 'Sets the link' } }] },
    { text: 'Done.' },
  ];
}

test('a link that commands made and pointed elsewhere: its row, what was written in it on both sides, its undo and redo', async () => {
  const { settings } = await scriptedModel([
    ...commanding('make', 'ln -s one.txt latest'),
    ...commanding('point', 'ln -sfn two.txt latest'),
  ]);
  const belay = await openBelay({ files: FILES, settings: { ...settings, 'belay.mode': 'allow' } });
  const { workbench, folder } = belay;
  const { page } = workbench;
  const target = () => readlinkSync(path.join(folder, 'latest'));
  const panel = await belay.openPanel();
  expect(await panel.ended(await panel.send('Link the first'))).toBe('done');
  expect(await panel.ended(await panel.send('Link the second'))).toBe('done');
  expect(target()).toBe('two.txt');

  const tree = await openCheckpoints(workbench);
  await tree.unfold(TURN_ROW);
  await tree.row('latest').filter({ hasText: '→ two.txt' }).waitFor();
  await tree.open('latest');
  const diff = page.locator('.monaco-diff-editor');
  await diff.locator('.original .view-line', { hasText: /^one\.txt$/ }).waitFor();
  await diff.locator('.modified .view-line', { hasText: /^two\.txt$/ }).waitFor();
  await workbench.runCommand('View: Close All Editors');

  await panel.part('review').click();
  const review = page.locator('.monaco-component.multiDiffEditor');
  await review
    .locator('.view-line', { hasText: /^two\.txt$/ })
    .first()
    .waitFor();
  expect(await review.locator('.view-line', { hasText: 'the second' }).count()).toBe(0);
  await workbench.runCommand('View: Close All Editors');

  await tree.inline(TURN_ROW, 'Undo Files');
  await expect.poll(target).toBe('one.txt');
  await panel.part('redo').click();
  await expect.poll(target).toBe('two.txt');
  for (const [name, text] of Object.entries(FILES)) {
    const file = path.join(folder, name);
    expect([lstatSync(file).isFile(), readFileSync(file, 'utf8')]).toEqual([true, text]);
  }
});
