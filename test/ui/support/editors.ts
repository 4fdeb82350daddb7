import type { Workbench } from '#test/support/real-vscode/workbench';

/** Opens a file of the folder by its name, as a person does with Go to File. */
export async function openFile({ page, runCommand }: Workbench, name: string): Promise<void> {
  await runCommand('Go to File...');
  await page.keyboard.type(name);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
  await page.locator('.tab', { hasText: name }).waitFor();
}
