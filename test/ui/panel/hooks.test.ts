import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventBody } from '#protocol/event';
import { launchBrowser } from '#test/support/real-vscode/browser';
import { folded, log, started, turnId } from '#test/unit/protocol/session-log';
import { openPanelPage } from './harness';
import { snapshot } from './state-parts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

function reported(kind: 'message' | 'problem' | 'blocked', event: string, text: string): EventBody {
  const hook = '"$CLAUDE_PROJECT_DIR"/.belay/hooks/check.sh (.belay/settings.json)';
  return { type: 'hook.reported', turnId: turnId(1), event, hook, kind, text };
}

test('what hooks report stands in the turn: who, when and their words as plain text, in the narrowest panel', async () => {
  await using panel = await openPanelPage(browser, { width: 300, height: 900 });
  const events = log(
    started(1, 'Fix it'),
    reported('message', 'PreToolUse', '<b>bold</b> **words** ![x](http://a.test/b)'),
    reported('problem', 'PostToolUse', `it failed with 1: ${'long'.repeat(80)}`),
    reported('blocked', 'UserPromptSubmit', 'no secrets in messages'),
    reported('blocked', 'Stop', 'run the tests first'),
    {
      type: 'turn.ended',
      turnId: turnId(1),
      status: 'denied',
      problem: { kind: 'hook', title: 'A hook ended the turn', detail: 'budget is spent' },
    },
  );
  await panel.tell(snapshot(folded(events)));
  const notices = panel.part('hook-notice');
  expect(await notices.locator('strong').allInnerTexts()).toEqual([
    'A hook says',
    'A hook failed',
    'A hook blocked this message',
    'A hook kept the turn going',
  ]);
  const [first] = await notices.allInnerTexts();
  expect(first).toContain('<b>bold</b> **words** ![x](http://a.test/b)');
  expect(first).toContain('PreToolUse "$CLAUDE_PROJECT_DIR"/.belay/hooks/check.sh (.belay/settings.json)');
  expect(await panel.part('turn').innerText()).toMatch(/A hook ended the turn\s+budget is spent/);
  await notices.first().getByRole('link').click();
  expect(await panel.posted()).toEqual([{ type: 'open-settings', name: '.belay/settings.json' }]);
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await panel.page.evaluate(overflow)).toBe(0);
  expect(await panel.violations()).toEqual([]);
  const picture = process.env['BELAY_PICTURES'];
  if (picture) await panel.page.screenshot({ path: `${picture}/hooks.png` });
});
