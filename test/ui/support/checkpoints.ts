import type { Locator } from 'playwright-core';
import type { Workbench } from '#test/support/real-vscode/workbench';

/** A turn's row begins with its time. */
export const TURN_ROW = /\d\d:\d\d/;

/** The tree of checkpoints in the Explorer, as a person works with it. */
export interface CheckpointTree {
  row(text: string | RegExp): Locator;
  /** Unfolds a row if it is folded. */
  unfold(text: string | RegExp): Promise<void>;
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
      if ((await found.getAttribute('aria-expanded')) === 'false')
        await found.locator('.monaco-tl-twistie').click();
    },
    inline: async (text, label) => {
      // A row is drawn anew when its turn ends, which would take the button from under the pointer.
      const found = row(text).filter({ hasNotText: 'running' }).first();
      await found.hover();
      await found.locator(`.action-label[aria-label="${label}"]`).click();
    },
  };
}
