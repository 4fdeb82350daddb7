import * as vscode from 'vscode';
import type { ToolResult } from '#protocol/tool-result';
import { type EditorLab, type EditorLabOptions, editorLab } from '#test/host/support/editor-lab';

export type ToolCall = readonly [name: string, input: unknown];

/** The real core on the editor's language servers, in a folder with these files. */
export interface LanguageLab extends EditorLab {
  /** One call after the other, each asked again while a server says that it is starting. */
  ask(...calls: readonly ToolCall[]): Promise<readonly ToolResult[]>;
}

/** All language tools are switched on. */
export async function languageLab(
  files: Readonly<Record<string, string>>,
  options: Omit<EditorLabOptions, 'intelligent'> = {},
): Promise<LanguageLab> {
  const lab = await editorLab({ ...options, intelligent: true });
  for (const [name, text] of Object.entries(files)) lab.put(name, text);
  await lab.turn(['search_tools', { query: `select:${DEFERRED.join(',')}` }]);
  return {
    ...lab,
    async ask(...calls) {
      const results: ToolResult[] = [];
      for (const call of calls) {
        let [result] = await lab.turn(call);
        for (let tries = 0; tries < 10 && result && isStarting(result); tries++)
          [result] = await lab.turn(call);
        if (result) results.push(result);
      }
      return results;
    },
  };
}

/** What a person sees of the window: nothing of it may change unasked. */
export function view() {
  return {
    tabs: vscode.window.tabGroups.all.flatMap((group) =>
      group.tabs.map(({ label, isDirty }) => [label, isDirty]),
    ),
    active: vscode.window.activeTextEditor?.document.uri.toString(),
    dirty: vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => uri.fsPath),
  };
}

const DEFERRED = [
  'definition',
  'type_definition',
  'references',
  'implementation',
  'hover',
  'document_symbols',
  'workspace_symbols',
  'call_hierarchy',
  'rename_symbol',
  'code_actions',
  'apply_code_action',
  'format',
];

function isStarting({ status, content }: ToolResult): boolean {
  return status === 'error' && /still starting|did not answer in time/.test(content);
}
