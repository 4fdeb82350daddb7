import type { Locator, Page } from 'playwright-core';
import { appears, STEP_LIMIT_MS, succeeds, vanishes } from '#test/support/real-vscode/patience';
import { runCommand } from '#test/support/real-vscode/quick-input';

/** Milliseconds after which a toast hides by itself if it tells no error; it stays in the list behind the bell. */
const TOAST_MS = 10_000;
/** Milliseconds that the editor gets to answer a click before it counts as lost. */
const ANSWER_MS = 5000;

/** The button with this label of a notification or a dialog. */
export function buttonIn(within: Locator, label: string): Locator {
  return within.locator('.monaco-button', { hasText: label });
}

/** Waits until a notification with this text has been shown. */
export function told(page: Page, text: string | RegExp): Promise<void> {
  return lookedAt(page, text, () => Promise.resolve(true));
}

/** Waits for the notification with this text and answers it by one of its buttons, which closes it. */
export function answered(page: Page, text: string | RegExp, label: string): Promise<void> {
  return lookedAt(page, text, async (item) => {
    const clicked = await succeeds(buttonIn(item, label).click({ timeout: ANSWER_MS }));
    return clicked && (await vanishes(item, ANSWER_MS));
  });
}

/**
 * Looks at a notification as a person does: at its toast, or, when that went by itself before they came to it (which on a slow machine
 * is soon), in the list behind the bell. Goes on until `look` is content.
 */
async function lookedAt(
  page: Page,
  text: string | RegExp,
  look: (item: Locator) => Promise<boolean>,
): Promise<void> {
  const toast = page.locator('.notification-toast', { hasText: text }).first();
  const center = page.locator('.notifications-center');
  const listed = center.locator('.notification-list-item', { hasText: text }).first();
  for (const end = Date.now() + STEP_LIMIT_MS; Date.now() < end; ) {
    if ((await appears(toast, TOAST_MS)) && (await look(toast))) return;
    await runCommand(page, 'Notifications: Show Notifications');
    const content = (await appears(listed, 1000)) && (await look(listed));
    // Left open it would lie over the panel.
    if (await center.isVisible()) await runCommand(page, 'Notifications: Hide Notifications');
    if (content) return;
  }
  throw new Error(`There is no notification "${text}"`);
}
