import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#test/support/real-vscode/browser';
import { RESOURCE } from './composing';
import { openPanelPage, type PanelPage, runInPage, settle, THEMES } from './harness';
import { STATES } from './states';

interface Measured {
  readonly what: string;
  readonly ratio: number;
  readonly least: number;
}

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** The theme's own warning icon in Light 2026 is fainter than 3:1; words always stand beside it. */
const THEMES_OWN = (theme: string, what: string) => theme === '2026-light' && what.includes('tone-warn');

test.each(THEMES)('UI-06 every text of every state is readable in the theme %s', async (theme) => {
  await using panel = await openPanelPage(browser, { theme, width: 320, height: 1200 });
  const faint: string[] = [];
  let measured = 0;
  const measure = async (state: string) => {
    const all = await runInPage<readonly Measured[]>(panel.page, 'contrast.js');
    measured += all.length;
    const bad = all.filter(({ what, ratio, least }) => ratio < least && !THEMES_OWN(theme, what));
    faint.push(...bad.map(({ what, ratio }) => `${state}: ${what} ${ratio}`));
  };
  for (const [name, messages] of Object.entries(STATES)) {
    if (name === 'long') continue;
    await panel.tell(...messages());
    await unfoldAll(panel);
    await measure(name);
  }
  for (const [name, open] of Object.entries(POPUPS)) {
    await open(panel);
    await settle(panel.page);
    await measure(name);
    await panel.page.keyboard.press('Escape');
    await panel.part('composer').fill('');
  }
  expect([...new Set(faint)]).toEqual([]);
  expect(measured).toBeGreaterThan(1000);
});

const POPUPS: Readonly<Record<string, (panel: PanelPage) => Promise<void>>> = {
  mode: (panel) => panel.part('mode').click(),
  model: (panel) => panel.part('model').click(),
  rule: async (panel) => {
    await panel.tell(...(STATES['approval']?.() ?? []));
    await panel.page.getByLabel('Choose the rule').click();
  },
  slash: async (panel) => {
    await panel.part('composer').fill('/');
    await panel.part('slash-list').waitFor();
  },
  mention: async (panel) => {
    await panel.part('composer').fill('@par');
    await expect.poll(async () => (await panel.posted()).at(-1)?.type).toBe('find-files');
    await panel.tell({
      type: 'files-found',
      requestId: 1,
      files: [
        { path: 'src/parser.ts', positions: [4, 5, 6] },
        { path: 'test/parser.test.ts', positions: [5, 6, 7] },
      ],
    });
    await panel.tell({ type: 'resources-found', requestId: 1, resources: [RESOURCE] });
    await panel.part('mention-list').waitFor();
    const picture = process.env['BELAY_PICTURES'];
    if (picture) await panel.page.screenshot({ path: `${picture}/mention-${panel.theme}.png` });
  },
};

/** Rows first, then what they showed: a gate trace is folded too. */
async function unfoldAll({ page }: PanelPage): Promise<void> {
  for (const folded of ['.row', '.why']) {
    await page.evaluate(
      `for (const each of document.querySelectorAll('${folded}[aria-expanded="false"]')) each.click()`,
    );
    await settle(page);
  }
  // Measured at rest, not under the mouse.
  await page.mouse.move(0, 0);
}
