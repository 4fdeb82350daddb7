import * as vscode from 'vscode';
import type { Answer, FileText, TextRange } from '#host/language/answer';
import type { FileChanges } from '#host/language/edits';
import { type Asking, ask } from './ask';
import { toChange, toRange } from './convert';

/** What a formatter of the editor would change in a file, or in some of its lines. */
export async function askFormat(
  file: FileText,
  range: TextRange | undefined,
  signal: AbortSignal,
  asking: Asking,
): Promise<Answer<readonly FileChanges[]>> {
  return ask<readonly FileChanges[]>(
    file,
    {
      what: 'format',
      async put(document) {
        const edits = await edit(document, range);
        if (edits === undefined || edits.length === 0) return [];
        return [{ path: file.path, before: document.getText(), changes: edits.map(toChange) }];
      },
      nothing: [],
      isEmpty: (changes) => changes.length === 0,
    },
    signal,
    asking,
  );
}

function edit(
  document: vscode.TextDocument,
  range: TextRange | undefined,
): Thenable<readonly vscode.TextEdit[] | undefined> {
  const options = optionsFor(document);
  const { executeCommand } = vscode.commands;
  return range === undefined
    ? executeCommand('vscode.executeFormatDocumentProvider', document.uri, options)
    : executeCommand('vscode.executeFormatRangeProvider', document.uri, toRange(range), options);
}

/** What is set for the file; an open editor may have found other indentation in it, which counts more. */
function optionsFor(document: vscode.TextDocument): vscode.FormattingOptions {
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document)?.options;
  const set = vscode.workspace.getConfiguration('editor', document);
  const size = shown?.tabSize ?? set.get('tabSize');
  const spaces = shown?.insertSpaces ?? set.get('insertSpaces');
  return {
    tabSize: typeof size === 'number' ? size : 4,
    insertSpaces: typeof spaces === 'boolean' ? spaces : true,
  };
}
