import { readFileSync } from 'node:fs';
import path from 'node:path';
import { untilStopped } from '#scripts/signals';
import { startDemo } from '#scripts/start/demo';
import { root } from '#scripts/vsix';
import { workbenchUrl } from '#test/support/real-vscode/workbench';

/** Starts VS Code as a server, in a display language, and tells its address; runs until it is stopped. */
export async function startInBrowser(language?: string): Promise<void> {
  const stopped = untilStopped();
  await using demo = await startDemo({ language });
  console.log(`VS Code with Belay: ${workbenchUrl(demo.server, { folder: demo.folder })}`);
  console.log(`Its folder:         ${demo.folder} (a copy, removed at the end)`);
  console.log(
    `Open the address in a browser on this machine, then run "Belay: ${openChat(language)}". Ctrl-C stops it.`,
  );
  await stopped;
}

/** The command's title as that editor shows it. */
function openChat(language?: string): string {
  const file = language ? `package.nls.${language}.json` : 'package.nls.json';
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'))['command.openChat'];
}
