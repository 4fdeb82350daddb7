import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openBelay } from '#test/ui/support/open-belay';
import { runs } from '#test/ui/support/panel-parts';
import { scriptedModel } from '#test/ui/support/scripted';

test('one command runs without the sandbox by the card’s own button, which no notification has; the next is held again', async () => {
  // A sandbox has a /tmp of its own: only outside of it is this folder there.
  const outside = mkdtempSync('/tmp/belay-outside-');
  onTestFinished(() => rmSync(outside, { recursive: true }));
  const [made, again] = [join(outside, 'made'), join(outside, 'again')];
  const { settings, server } = await scriptedModel([
    runs(`touch ${made}`, 'c1'),
    runs(`touch ${again}`, 'c2'),
    { text: 'Both are tried.' },
  ]);
  const belay = await openBelay({ settings, machineSettings: { 'belay.sandbox.exceptions': ['touch:*'] } });
  const panel = await belay.openPanel();
  const card = panel.part('approval');

  const turn = await panel.send('Make them');
  await belay.workbench.told(`Belay wants to run: touch ${made}`);
  expect(await belay.workbench.page.getByRole('button', { name: 'Without Sandbox' }).count()).toBe(0);
  await card.filter({ hasText: made }).getByTestId('without-sandbox').click();

  await card.filter({ hasText: again }).getByTestId('allow-once').click();
  expect(await panel.ended(turn)).toBe('done');
  expect([existsSync(made), existsSync(again)]).toEqual([true, false]);
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('No such file or directory');
  // Told under the first call alone.
  const words = (await turn.innerText()).split('\n').filter((line) => /^(Run$|Without)/.test(line));
  expect(words).toEqual(['Run', 'Without the sandbox, once', 'Run']);
});
