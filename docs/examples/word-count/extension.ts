import type { BelayApi, Registration } from '@belay/api';
import * as vscode from 'vscode';

/** Belay may be missing: then there is nothing to do, and nothing fails. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const belay = await vscode.extensions.getExtension<BelayApi>('belay.belay')?.activate();
  if (belay?.version === 1) context.subscriptions.push(...registerTools(belay, context.extension.id));
}

/** Both tools, as this extension offers them. */
export function registerTools(belay: BelayApi, extension: string): readonly Registration[] {
  return [countWords(belay, extension), showStatus(belay, extension)];
}

/** It says that it only reads, and which file each call reads: so it runs without a question, and not on files that rules guard. */
function countWords(belay: BelayApi, extension: string): Registration {
  return belay.registerTool({
    extension,
    name: 'count_words',
    description:
      'Counts the words of a text file of the workspace. Returns one line: the number, then the path.',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string', description: 'Relative to the workspace folder' } },
      required: ['path'],
    },
    risk: 'read',
    capabilities: ['filesystem.read'],
    concurrencySafe: true,
    searchMetadata: { aliases: ['wc'], tags: ['text'] },
    touches: (input) => [{ kind: 'read', path: pathIn(input) }],
    summarize: (input) => `count the words of ${pathIn(input)}`,
    async execute(input, { signal, onProgress }) {
      const path = pathIn(input);
      const folder = vscode.workspace.workspaceFolders?.[0];
      if (!folder) throw new Error('no folder is open');
      onProgress(`reading ${path}`);
      const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder.uri, path));
      signal.throwIfAborted();
      const words = new TextDecoder().decode(bytes).match(/\S+/g) ?? [];
      return `${words.length} ${path}`;
    },
  });
}

/** It does something outside of the workspace's files: so the person is asked before each call. */
function showStatus(belay: BelayApi, extension: string): Registration {
  return belay.registerTool({
    extension,
    name: 'show_status',
    description: 'Shows a short text in the status bar for ten seconds.',
    inputSchema: {
      type: 'object',
      properties: { text: { type: 'string', maxLength: 80 } },
      required: ['text'],
    },
    capabilities: ['external.side-effect'],
    execute(input) {
      vscode.window.setStatusBarMessage((input as { text: string }).text, 10_000);
      return 'shown';
    },
  });
}

/** Belay has checked the input against the schema. */
function pathIn(input: unknown): string {
  return (input as { path: string }).path;
}
