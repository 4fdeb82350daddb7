import type { Page } from 'playwright-core';
import { STEP_LIMIT_MS, succeeds, vanishes } from '#test/support/real-vscode/patience';

/** Milliseconds after which a menu that is still open didn't take the click. */
const TAKEN_MS = 2000;

/**
 * Picks a row of the menu that has just been asked for; returns when the menu is gone. A menu takes no click in its first moment, lest
 * the button that opened it pick something as it is let go.
 */
export async function pickInMenu(page: Page, label: string): Promise<void> {
  const row = page.locator('.monaco-menu .action-label', { hasText: label });
  await row.waitFor();
  for (const end = Date.now() + STEP_LIMIT_MS; Date.now() < end; )
    if ((await succeeds(row.click({ timeout: TAKEN_MS }))) && (await vanishes(row, TAKEN_MS))) return;
  throw new Error(`The menu did not take a click on "${label}"`);
}
