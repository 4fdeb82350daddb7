import * as vscode from 'vscode';
import { hasTab } from '#editor/tabs';
import type { Answer, FileText, TextRange } from '#host/language/answer';
import type { CodeAction, CodeActions } from '#host/language/edits';
import { type Asking, ask } from './ask';
import { toRange } from './convert';
import { toServerEdit } from './workspace-edit';

/** Actions whose edit is asked for; a server makes each on demand. */
const MOST_RESOLVED = 40;

/** What servers offer to do at a place. Only what is an edit can be done: a command of a server would pass no gate. */
export async function askActions(
  file: FileText,
  range: TextRange,
  signal: AbortSignal,
  asking: Asking,
): Promise<Answer<CodeActions>> {
  return ask<CodeActions>(
    file,
    {
      what: 'code actions',
      async put({ uri }) {
        const found = await vscode.commands.executeCommand<readonly (vscode.CodeAction | vscode.Command)[]>(
          'vscode.executeCodeActionProvider',
          uri,
          toRange(range),
          undefined,
          MOST_RESOLVED,
        );
        return toActions(found ?? [], hasTab(uri), signal);
      },
      nothing: { actions: [], withoutEdit: 0, hasTab: false },
      isEmpty: ({ actions, withoutEdit }) => actions.length + withoutEdit === 0,
    },
    signal,
    asking,
  );
}

async function toActions(
  found: readonly (vscode.CodeAction | vscode.Command)[],
  isShown: boolean,
  signal: AbortSignal,
): Promise<CodeActions> {
  const actions: CodeAction[] = [];
  for (const each of found) {
    if (!isAction(each) || each.edit === undefined) continue;
    const edit = await toServerEdit(each.edit, signal);
    if (edit.files.length + edit.created.length === 0) continue;
    const { title, kind, command } = each;
    actions.push({ title, kind: kind?.value ?? '', edit, hasCommand: command !== undefined });
  }
  return { actions, withoutEdit: found.length - actions.length, hasTab: isShown };
}

/** The `command` of a command is its name, that of an action a command. */
function isAction(each: vscode.CodeAction | vscode.Command): each is vscode.CodeAction {
  return typeof each.command !== 'string';
}
