import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openBelay } from '#test/ui/support/open-belay';
import { card, runs, WRITE_NOTE } from '#test/ui/support/panel-parts';
import { scriptedModel } from '#test/ui/support/scripted';

const COUNT = 'echo once >> count.txt; sleep 60';

test('a window reloaded in mid-turn: nothing runs again, the card offers Review, Undo and Continue; another window waits for its turn', async () => {
  const { settings, server } = await scriptedModel([
    WRITE_NOTE,
    runs('npm test'),
    { text: 'I look at what is there first.' },
    runs(COUNT, 'long'),
    { text: 'Never said.' },
  ]);
  const belay = await openBelay({ settings, files: { 'README.md': '# Sample\n' } });
  const { workbench, folder } = belay;
  const note = path.join(folder, 'note.txt');
  const closed = 'The window closed during this turn';

  const first = await belay.openPanel();
  await first.send('Leave a note and test');
  await first.part('approval').waitFor();
  await belay.reload();
  await workbench.told('A turn was interrupted: Leave a note and test');
  const second = await belay.openPanel();
  await card(second, closed).getByText('1 changed file is kept.').waitFor();
  expect([await second.part('approval').count(), server.requests.length]).toEqual([0, 2]);
  await card(second, closed).getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => existsSync(note)).toBe(false);
  await second.part('redo').click();
  await expect.poll(() => existsSync(note)).toBe(true);
  // The undo is over, and nothing moves any more, when its row is gone.
  await second.part('redo').waitFor({ state: 'detached' });
  await card(second, closed).getByRole('button', { name: 'Continue' }).click();
  await second.part('turn').getByText('I look at what is there first.').waitFor();

  await second.send('Count');
  await workbench.answer('Belay wants to run: echo once', 'Allow Once');
  await expect.poll(() => existsSync(path.join(folder, 'count.txt'))).toBe(true);
  await belay.reload();
  await workbench.told('A turn was interrupted');
  const third = await belay.openPanel();
  await card(third, closed).waitFor();
  expect([readFileSync(path.join(folder, 'count.txt'), 'utf8'), server.requests.length]).toEqual([
    'once\n',
    4,
  ]);

  const other = await belay.open({ folder });
  const there = await other.openPanel();
  await card(there, 'This session runs in another window').waitFor();
  await there.part('composer').and(there.frame.locator(':disabled')).waitFor();
  await workbench[Symbol.asyncDispose]();
  // The window that had the session is gone: this one follows by itself.
  await card(there, 'This session runs in another window').waitFor({ state: 'detached' });
  await there.part('composer').and(there.frame.locator(':enabled')).waitFor();
});
