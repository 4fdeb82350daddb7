import * as vscode from 'vscode';
import type { Answer, FilePlace } from '#host/language/answer';
import type { ServerEdit } from '#host/language/edits';
import { type Asking, ask } from './ask';
import { toPosition } from './convert';
import { toServerEdit } from './workspace-edit';

/** A rename through a large project takes longer than a look. */
const RENAME_LIMIT = 30_000;
const NOTHING: ServerEdit = { files: [], created: [], moved: [], elsewhere: [] };

/** What giving the thing at a place another name would change, everywhere. */
export async function askRename(
  at: FilePlace,
  newName: string,
  signal: AbortSignal,
  asking: Asking,
): Promise<Answer<ServerEdit>> {
  const position = toPosition(at.position);
  return ask<ServerEdit>(
    at,
    {
      what: 'rename',
      limitMs: RENAME_LIMIT,
      needsProject: true,
      async put({ uri }) {
        const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit | undefined>(
          'vscode.executeDocumentRenameProvider',
          uri,
          position,
          newName,
        );
        return edit && toServerEdit(edit, signal);
      },
      nothing: NOTHING,
      isEmpty: ({ files, created, moved, elsewhere }) =>
        files.length + created.length + moved.length + elsewhere.length === 0,
    },
    signal,
    asking,
  );
}
