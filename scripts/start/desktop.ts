import { spawn } from 'node:child_process';
import path from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { prepareDemo } from '#scripts/start/demo';
import { stageExtension } from '#scripts/vsix';
import { findProgram } from '#test/support/real-vscode/system-packages';

/** Opens desktop VS Code, an installed one or else a downloaded one, with a profile of its own; runs until its window is closed. */
export async function startDesktop(): Promise<void> {
  using demo = await prepareDemo();
  const extension = path.join(demo.profile.root, 'extension');
  await stageExtension(extension);
  const code = findProgram('code') ?? (await download());
  console.log(`Desktop VS Code with Belay on ${demo.folder} (a copy, removed when its window is closed)`);
  const data = path.join(demo.profile.root, 'data');
  const child = spawn(
    code,
    [
      demo.folder,
      ...['--wait', '--new-window', '--disable-workspace-trust'],
      `--extensionDevelopmentPath=${extension}`,
      ...['--user-data-dir', data, '--extensions-dir', demo.profile.extensions],
    ],
    { stdio: 'inherit' },
  );
  const exitCode = await new Promise((resolve, reject) => child.on('error', reject).on('exit', resolve));
  if (exitCode !== 0) throw new Error(`VS Code ended with ${exitCode}. Without a display use: npm start`);
}

async function download(): Promise<string> {
  try {
    return await downloadAndUnzipVSCode();
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    throw new Error(
      `Desktop VS Code is not installed and can't be downloaded (${why}). In the browser: npm start`,
    );
  }
}
