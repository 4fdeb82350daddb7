import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { withLock } from '#scripts/bootstrap/cache.mjs';

const run = promisify(execFile);

/** Finds a program on the PATH, as an absolute path. */
export function findProgram(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder));
  return folders.map((folder) => path.join(folder, name)).find(isExecutable);
}

/** True when this process may install Debian packages. */
export function canInstallPackages(): boolean {
  return process.getuid?.() === 0 && findProgram('apt-get') !== undefined;
}

/**
 * Installs Debian packages where that is possible. Answers why it wasn't, never throws: each caller knows another way, or the words to
 * fail with.
 */
export async function installPackages(...names: readonly string[]): Promise<string | undefined> {
  if (!canInstallPackages()) return 'apt-get is not there, or this is not root';
  process.stderr.write(`belay: installing ${names.join(', ')} (apt-get)\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    await withLock('apt', async () => {
      await run('apt-get', ['update', '-q'], { env });
      await run('apt-get', ['install', '-yq', '--no-install-recommends', ...names], {
        env,
        maxBuffer: 64 << 20,
      });
    });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
