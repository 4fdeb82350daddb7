import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { packExtension, root } from '#scripts/vsix';
import { createProfile } from '#test/support/real-vscode/profile';
import { installExtension } from '#test/support/real-vscode/server';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder where `--install-extension` put the packed vsix; only read from then on. */
    readonly installedExtensions: string;
  }
}

/**
 * Packs the vsix and installs it, once for all UI tests, where nothing of the checkout can help it: no node_modules lies above, and no
 * file of it names the checkout.
 */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-installed-')));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  try {
    const vsix = path.join(folder, 'belay.vsix');
    await packExtension(vsix);
    using profile = createProfile({ extensions: path.join(folder, 'extensions') });
    await installExtension(profile, vsix);
    assertAlone(folder);
    project.provide('installedExtensions', profile.extensions);
    return remove;
  } catch (error) {
    remove();
    throw error;
  }
}

function assertAlone(folder: string): void {
  for (let place = folder; place !== path.dirname(place); place = path.dirname(place)) {
    const modules = path.join(place, 'node_modules');
    if (existsSync(modules))
      throw new Error(`${modules} lies above the installed extension; set TMPDIR to a place without`);
  }
  const vsix = readFileSync(path.join(folder, 'belay.vsix'));
  if (vsix.includes(root)) throw new Error(`The packed extension names ${root}`);
}
