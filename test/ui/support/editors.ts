import type { Workbench } from '#test/support/real-vscode/workbench';

/** Opens a file of the folder by its name, as a person does with Go to File. */
export async function openFile({ page, runCommand }: Workbench, name: string): Promise<void> {
  await runCommand('Go to File...');
  await page.keyboard.type(name);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
  await page.locator('.tab', { hasText: name }).waitFor();
}

/**
 * Waits until the window has loaded its folders. The workbench in a browser now and then reads a workspace file before its server
 * answers and then stays without folders; a person reloads, and so does this.
 */
export async function foldersShown({ page, reload }: Workbench, name: string): Promise<void> {
  const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();
  for (let attempt = 1; attempt < 3; attempt++) {
    const isThere = await row.waitFor({ timeout: 15_000 }).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await reload();
  }
  await row.waitFor();
}
