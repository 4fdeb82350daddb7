import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { endedWithAnswers } from '#test/support/panel';
import { openCheckpoints, TURN_ROW } from '#test/ui/support/checkpoints';
import { openBelay } from '#test/ui/support/open-belay';
import { widenPanel } from '#test/ui/support/side-bar';

/** The README's pictures are drawn anew only on demand: `BELAY_PICTURES=1 npm test -- ui pictures`. */
const FOLDER = process.env['BELAY_PICTURES'] ? path.join('docs', 'pictures') : undefined;

const SETTINGS = {
  'workbench.colorTheme': 'Default Dark Modern',
  // Nothing of this machine, nothing of other products.
  'breadcrumbs.enabled': false,
  'chat.disableAIFeatures': true,
  'editor.minimap.enabled': false,
};

test('the states of the README’s pictures: the demo model fixes the sample, its diff opens from the tree', async () => {
  const belay = await openBelay({
    settings: SETTINGS,
    name: 'rope-shop',
    viewport: { width: 1180, height: 1000 },
    scale: FOLDER ? 1.5 : 1,
  });
  const { workbench } = belay;
  const { page } = workbench;
  const panel = await belay.openPanel();
  await widenPanel(page, 440);
  const turn = await panel.send('Fix the failing test');
  const { status } = await endedWithAnswers({ workbench, panel, turn, button: 'Allow Once' });
  expect(status).toBe('done');
  await panel.part('changes-bar').waitFor();
  const edit = panel.frame.locator(
    '[data-testid="call-row"][data-call-name="edit_file"][data-state="success"]',
  );
  await edit.last().click();
  await panel.frame.locator('.call-body').last().waitFor();
  await workbench.runCommand('Notifications: Clear All Notifications');
  await panel.frame.locator('.log').hover();
  await page.mouse.wheel(0, 10_000);
  await page.mouse.move(10, 10);
  if (FOLDER) {
    mkdirSync(FOLDER, { recursive: true });
    await page.locator('.part.auxiliarybar').screenshot({ path: path.join(FOLDER, 'panel.png') });
  }

  await workbench.runCommand('View: Toggle Secondary Side Bar Visibility');
  await page.setViewportSize({ width: 1180, height: 560 });
  const tree = await openCheckpoints(workbench);
  await tree.unfold(TURN_ROW);
  await tree.open('.js');
  const diff = page.locator('.monaco-diff-editor');
  await diff.locator('.original .view-line').first().waitFor();
  await diff.locator('.modified .view-line').first().waitFor();
  await diff.locator('.line-insert, .char-insert').first().waitFor();
  await page.mouse.move(10, 10);
  if (FOLDER) {
    await page.locator('.statusbar-item', { hasText: /Analyzing|Fetching/ }).waitFor({ state: 'hidden' });
    await page.screenshot({ path: path.join(FOLDER, 'tree-and-diff.png') });
  }
});
