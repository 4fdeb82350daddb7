import type { HostRun } from '#test/host/support/host-run';
import { launchBrowser } from '#test/support/real-vscode/browser';
import { createProfile } from '#test/support/real-vscode/profile';
import { startServer } from '#test/support/real-vscode/server';
import { openWorkbench } from '#test/support/real-vscode/workbench';

/** The whole suite in one host: a guard against hanging, not a measure of speed. */
const LIMIT_MS = 20 * 60_000;

/** Runs the suite in the extension host of a real VS Code server; the window that it needs is a headless browser's. */
export async function runOnServer({ extensions, tests, folder, env }: HostRun): Promise<void> {
  using profile = createProfile();
  await using server = await startServer(profile, { env, idleSeconds: 600 });
  await using browser = await launchBrowser();
  const ended = Promise.withResolvers<void>();
  await openWorkbench(server, browser, {
    folder,
    development: { extensions, tests },
    prepare: async (page) => {
      // The workbench calls these for a window that runs a suite; the exit code says less than the results file.
      await page.exposeFunction('codeAutomationExit', () => ended.resolve());
      await page.exposeFunction('codeAutomationLog', () => undefined);
      page.on('crash', () => ended.reject(new Error('the page of the workbench crashed')));
    },
  });
  const limit = setTimeout(
    () => ended.reject(new Error(`the suite did not end within ${LIMIT_MS / 60_000} minutes`)),
    LIMIT_MS,
  );
  try {
    await ended.promise;
  } finally {
    clearTimeout(limit);
  }
}
