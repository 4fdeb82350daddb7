import * as vscode from 'vscode';
import { hasTab } from '#editor/tabs';
import type { Answer, FileText, TextRange } from '#host/language/answer';
import type { CodeAction, CodeActions } from '#host/language/edits';
import { type Asking, ask } from './ask';
import { toRange } from './convert';
import { refuseTooMany, toServerEdit } from './workspace-edit';

/** Actions whose edit is asked for; a server makes each on demand. */
const MOST_RESOLVED = 40;

interface Wanted {
  readonly file: FileText;
  readonly range: TextRange;
  readonly kind: string | undefined;
}

/** What servers offer to do at a place. Only what is an edit can be done: a command of a server would pass no gate. */
export async function askActions(
  { file, range, kind }: Wanted,
  signal: AbortSignal,
  asking: Asking,
): Promise<Answer<CodeActions>> {
  // Actions for a whole file, such as organizing imports, are only offered to who names them.
  const kinds = kind === undefined ? [undefined, 'source'] : [kind];
  return ask<CodeActions>(
    file,
    {
      what: 'code actions',
      needsProject: true,
      async put({ uri }) {
        const found = await Promise.all(kinds.map((each) => offered(uri, range, each)));
        return toActions(found.flat(), hasTab(uri), signal);
      },
      nothing: { actions: [], withoutEdit: 0, hasTab: false },
      isEmpty: ({ actions, withoutEdit }) => actions.length + withoutEdit === 0,
    },
    signal,
    asking,
  );
}

type Offered = vscode.CodeAction | vscode.Command;

async function offered(
  uri: vscode.Uri,
  range: TextRange,
  kind: string | undefined,
): Promise<readonly Offered[]> {
  const found = await vscode.commands.executeCommand<readonly Offered[] | undefined>(
    'vscode.executeCodeActionProvider',
    uri,
    toRange(range),
    kind,
    MOST_RESOLVED,
  );
  return found ?? [];
}

async function toActions(
  found: readonly Offered[],
  isShown: boolean,
  signal: AbortSignal,
): Promise<CodeActions> {
  const actions: CodeAction[] = [];
  const known = new Set<string>();
  // Each file is opened: forty actions may not open forty times what one may.
  refuseTooMany(found.reduce((sum, each) => sum + (isAction(each) && each.edit ? each.edit.size : 0), 0));
  for (const each of found) {
    if (!isAction(each) || each.edit === undefined) continue;
    const edit = await toServerEdit(each.edit, signal);
    if (edit.files.length + edit.created.length === 0) continue;
    const { title, kind, command } = each;
    const key = JSON.stringify([title, kind?.value, edit.files]);
    if (known.has(key)) continue;
    known.add(key);
    actions.push({ title, kind: kind?.value ?? '', edit, hasCommand: command !== undefined });
  }
  const titles = new Set(found.map(({ title }) => title));
  for (const { title } of actions) titles.delete(title);
  return { actions, withoutEdit: titles.size, hasTab: isShown };
}

/** The `command` of a command is its name, that of an action a command. */
function isAction(each: Offered): each is vscode.CodeAction {
  return typeof each.command !== 'string';
}
