import { appears } from '#test/support/real-vscode/patience';
import { quickInput } from '#test/support/real-vscode/quick-input';
import type { Workbench } from '#test/support/real-vscode/workbench';

/** Milliseconds that a workbench on a slow machine needs to read its workspace file. */
const FOLDERS_MS = 30_000;

/** Opens a file of the folder by its name, as a person does with Go to File, and waits until it is shown. */
export async function openFile({ page, runCommand, pick }: Workbench, name: string): Promise<void> {
  await runCommand('Go to File...');
  await quickInput(page).fill(name);
  await pick(name);
  await page.locator('.tab.active', { hasText: name }).waitFor();
  await page.locator(`.editor-instance[aria-label^="${name}"] .view-lines`).waitFor();
}

/**
 * Waits until the window has loaded its folders. The workbench in a browser now and then reads a workspace file before its server
 * answers and then stays without folders; a person reloads, and so does this.
 */
export async function foldersShown({ page, reload }: Workbench, name: string): Promise<void> {
  const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();
  for (let attempt = 1; attempt < 4; attempt++) {
    if (await appears(row, FOLDERS_MS)) return;
    await reload();
  }
  await row.waitFor();
}
