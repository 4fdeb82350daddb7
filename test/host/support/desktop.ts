import path from 'node:path';
import { runTests } from '@vscode/test-electron';
import type { HostRun } from '#test/host/support/host-run';
import { createProfile } from '#test/support/real-vscode/profile';

/** Runs the suite in desktop VS Code, which is downloaded. A failing suite rejects there; its results file says more. */
export async function runOnDesktop({ extensions, tests, folder, env }: HostRun): Promise<void> {
  using profile = createProfile();
  try {
    await runTests({
      extensionDevelopmentPath: [...extensions],
      extensionTestsPath: tests,
      extensionTestsEnv: env,
      launchArgs: [
        folder,
        ...['--disable-extensions', '--disable-workspace-trust'],
        ...['--user-data-dir', path.join(profile.root, 'data'), '--extensions-dir', profile.extensions],
        // Electron refuses its own sandbox to root, which CI containers often are.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    });
  } catch (error) {
    console.error(`desktop VS Code: ${error instanceof Error ? error.message : error}`);
  }
}
