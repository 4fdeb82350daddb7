import type { Locator, Page } from 'playwright-core';
import { appears, STEP_LIMIT_MS, succeeds, vanishes } from '#test/support/real-vscode/patience';

/** Milliseconds that the editor gets to answer a key or a click before it counts as lost. */
const ANSWER_MS = 10_000;
/** Milliseconds in which the open palette shows a command that is there. */
const LISTED_MS = 3000;

/** The one input of the editor for commands, files, picks and questions. */
export function quickInput(page: Page): Locator {
  return page.locator('.quick-input-widget .quick-input-box input');
}

/**
 * Runs a command by typing its title into the palette. Tries again and again: commands of extensions come some seconds after the
 * workbench is drawn, an open palette looks for them only when its text changes, and whatever takes the focus meanwhile closes it.
 * Returns when the palette is gone, so that the next key goes where the command leads.
 */
export async function runCommand(page: Page, title: string): Promise<void> {
  const input = quickInput(page);
  const label = page.locator('.quick-input-list .monaco-list-row .label-name', {
    hasText: new RegExp(`^${escaped(title)}$`),
  });
  for (const end = Date.now() + STEP_LIMIT_MS; Date.now() < end; ) {
    await page.keyboard.press('F1');
    if (!(await appears(input, ANSWER_MS))) continue;
    if (!(await succeeds(input.fill('>', { timeout: ANSWER_MS })))) continue;
    if (!(await succeeds(input.fill(`>${title}`, { timeout: ANSWER_MS })))) continue;
    if ((await appears(label.first(), LISTED_MS)) && (await taken(label.first()))) return;
  }
  throw new Error(`The palette has no command "${title}"`);
}

/** Picks the row that holds this text in the list that is open, or about to open. Returns when the list is gone. */
export async function pick(page: Page, text: string): Promise<void> {
  const row = page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
  await row.waitFor();
  for (const end = Date.now() + STEP_LIMIT_MS; Date.now() < end; ) if (await taken(row)) return;
  throw new Error(`The list did not take a click on "${text}"`);
}

/**
 * Clicks a row of the list. False when it is still there afterwards: the list may be drawn anew at any time, and a press and a release
 * that fall on two drawings are no click.
 */
async function taken(row: Locator): Promise<boolean> {
  return (await succeeds(row.click({ timeout: ANSWER_MS }))) && vanishes(row, ANSWER_MS);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
