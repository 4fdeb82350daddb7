import type { Locator } from 'playwright-core';
import { appears, STEP_LIMIT_MS } from '#test/support/real-vscode/patience';
import type { Workbench } from '#test/support/real-vscode/workbench';

/** Milliseconds that the view gets to answer a click before it counts as lost. */
const ANSWER_MS = 5000;

/** The view *MCP Servers* in the Explorer, as a person works with it. */
export interface McpView {
  readonly pane: Locator;
  row(text: string | RegExp): Locator;
  /** Unfolds a row if it is folded. */
  unfold(text: string | RegExp): Promise<void>;
  /** Hovers a row and clicks one of its inline buttons. */
  inline(text: string | RegExp, label: string): Promise<void>;
}

/** Opens the view from the palette. */
export async function openMcpView({ page, runCommand }: Workbench): Promise<McpView> {
  await runCommand('Belay: MCP Servers');
  const pane = page.locator('.pane', { has: page.locator('.pane-header', { hasText: 'MCP Servers' }) });
  const row = (text: string | RegExp) => pane.locator('.monaco-list-row', { hasText: text });
  await pane.locator('.monaco-list-row, .welcome-view-content').first().waitFor();
  return {
    pane,
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
    inline: async (text, label) => {
      const found = row(text).first();
      const button = found.locator(`.action-label[aria-label="${label}"]`);
      do await found.hover();
      while (!(await appears(button, ANSWER_MS)));
      // The editor draws rows anew in its own time, and a press and a release that fall on two drawings are no click.
      await button.click({ trial: true });
      await button.dispatchEvent('click');
    },
  };
}
