import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#test/support/real-vscode/browser';
import { openPanelPage } from './harness';
import { STATES } from './states';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test.each([240, 300, 480])(
  'the trace links to the line of the rule that decided, %i pixels wide',
  async (width) => {
    await using panel = await openPanelPage(browser, { width });
    await panel.tell(...(STATES['trace']?.() ?? []));
    await panel.part('call-row').last().click();
    await panel.part('why').click();
    const trace = panel.part('trace');
    expect(await trace.locator('.stage-why').last().innerText()).toBe(
      'denied by the rule Bash(git push:*) (.belay/settings.json:7)',
    );
    await trace.getByRole('link', { name: '.belay/settings.json:7' }).press('Enter');
    expect(await panel.posted()).toEqual([{ type: 'open-settings', name: '.belay/settings.json', line: 7 }]);
    expect(await trace.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
  },
);
