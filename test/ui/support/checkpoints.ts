import type { Locator } from 'playwright-core';
import { appears, STEP_LIMIT_MS } from '#test/support/real-vscode/patience';
import type { Workbench } from '#test/support/real-vscode/workbench';

/** A turn's row begins with its time. */
export const TURN_ROW = /\d\d:\d\d/;

/** Milliseconds that the tree gets to fold or unfold before a click counts as lost. */
const ANSWER_MS = 5000;

/** The tree of checkpoints in the Explorer, as a person works with it. */
export interface CheckpointTree {
  row(text: string | RegExp): Locator;
  /** Unfolds a row if it is folded. */
  unfold(text: string | RegExp): Promise<void>;
  /** Clicks the last row with this text, which opens what it stands for. */
  open(text: string | RegExp): Promise<void>;
  /** Hovers a row that has come to rest and clicks one of its inline buttons. */
  inline(text: string | RegExp, label: string): Promise<void>;
}

/** Opens the Explorer and unfolds its Checkpoints view. */
export async function openCheckpoints({ page, runCommand }: Workbench): Promise<CheckpointTree> {
  await runCommand('Explorer: Focus on Checkpoints View');
  const pane = page.locator('.pane', { has: page.locator('.pane-header', { hasText: 'Checkpoints' }) });
  const row = (text: string | RegExp) => pane.locator('.monaco-list-row', { hasText: text });
  await pane.locator('.monaco-list-row').first().waitFor();
  return {
    row,
    unfold: async (text) => {
      const found = row(text).first();
      await found.waitFor();
      const unfolded = found.and(pane.locator('[aria-expanded="true"]'));
      for (const end = Date.now() + STEP_LIMIT_MS; Date.now() < end; ) {
        if (await unfolded.isVisible()) return;
        await found.locator('.monaco-tl-twistie').click();
        await appears(unfolded, ANSWER_MS);
      }
      await unfolded.waitFor();
    },
    open: (text) => clickInOneGo(row(text).last()),
    inline: async (text, label) => {
      // A row is drawn anew when its turn ends, which would take the button from under the pointer.
      const found = row(text).filter({ hasNotText: 'running' }).first();
      const button = found.locator(`.action-label[aria-label="${label}"]`);
      do await found.hover();
      while (!(await appears(button, ANSWER_MS)));
      await clickInOneGo(button);
    },
  };
}

/**
 * The editor draws rows anew in its own time, and a press and a release that fall on two drawings are no click. So all that a click of
 * the mouse needs is waited for, and then it is done in one go.
 */
async function clickInOneGo(target: Locator): Promise<void> {
  await target.click({ trial: true });
  await target.dispatchEvent('click');
}
