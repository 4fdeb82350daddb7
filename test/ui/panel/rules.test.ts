import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '#test/support/real-vscode/browser';
import { folded, log, started, turnId } from '#test/unit/protocol/session-log';
import { openPanelPage } from './harness';
import { snapshot } from './state-parts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('a row names the rules files that hold, and what is odd about one, in the narrowest panel', async () => {
  await using panel = await openPanelPage(browser, { width: 300, height: 500 });
  const whole = { sha256: 'a', state: 'whole', hidden: 0 } as const;
  const events = log(
    started(1, 'Fix the parser'),
    {
      type: 'rules.loaded',
      turnId: turnId(1),
      files: [
        { ...whole, path: 'AGENTS.md', state: 'cut' },
        { ...whole, path: 'packages/a/AGENTS.md', hidden: 2 },
        { path: 'CLAUDE\u202e.md', sha256: '', state: 'unusable', hidden: 0, why: 'it is not UTF-8 text' },
      ],
    },
    { type: 'rules.loaded', turnId: turnId(1), files: [] },
  );
  await panel.tell(snapshot(folded(events)));
  const [rows, none] = await panel.part('rules').allInnerTexts();
  expect((rows ?? '').split('\n').filter(Boolean)).toEqual([
    'Rules',
    'AGENTS.md, packages/a/AGENTS.md',
    'AGENTS.md: only its beginning, rules may take 32 KB in all',
    'packages/a/AGENTS.md: 2 invisible characters, shown to the model as escapes',
    'CLAUDE\\u{202e}.md is left out: it is not UTF-8 text',
  ]);
  expect(none).toMatch(/Rules\s+none/);
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await panel.page.evaluate(overflow)).toBe(0);
  expect(await panel.violations()).toEqual([]);
  const picture = process.env['BELAY_PICTURES'];
  if (picture) await panel.page.screenshot({ path: `${picture}/rules.png` });
});
