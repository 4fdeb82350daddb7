import { dirname, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { delay } from '#base/queue';
import { messageOf } from '#base/result';
import type { Log } from '#host';
import type { FileChanges, FileMove, NamingPlace } from '#host/language/edits';
import type { AbsolutePath } from '#protocol/ids';
import { withinTime } from './time-limit';
import { isTypeScriptFile, startTypeScript } from './typescript-server';

/** Milliseconds that one question to a server may take: one that starts reads the whole project first. */
const ANSWER_LIMIT = 8000;
/** A server that has just started refuses to rename at first (observed in VS Code 1.139); asked again after this. */
const SECOND_TRY = 3000;
/** Places that are asked whether they mean the file; the first that does is enough. */
const MOST_PLACES = 20;

/**
 * What a rename of the file's name inside an import would change everywhere: the provider's text edits without its renaming of the
 * file, which would bring a dialog up.
 */
export async function movingFile(
  { from, to, named }: FileMove,
  signal: AbortSignal,
  log: Log,
): Promise<readonly FileChanges[] | undefined> {
  try {
    if (named.some(({ path }) => isTypeScriptFile(path)))
      await withinTime(startTypeScript(), ANSWER_LIMIT, 'start of TypeScript');
    for (const place of named.slice(0, MOST_PLACES)) {
      signal.throwIfAborted();
      const at = await positionOf(place);
      if (!at || !(await means(at, from))) continue;
      const name = relative(dirname(from), to).split(sep).join('/');
      const edit = (await renaming(at, name, log)) ?? (await later(() => renaming(at, name, log), signal));
      return edit && (await changesOf(edit));
    }
  } catch (error) {
    signal.throwIfAborted();
    log.warn(`imports of ${from}: ${messageOf(error)}`);
  }
  return undefined;
}

interface Place {
  readonly uri: vscode.Uri;
  readonly position: vscode.Position;
}

/** Undefined where that line has another text by now. */
async function positionOf({ path, line, text }: NamingPlace): Promise<Place | undefined> {
  const uri = vscode.Uri.file(path);
  const document = await withinTime(vscode.workspace.openTextDocument(uri), ANSWER_LIMIT, 'open');
  if (line > document.lineCount) return undefined;
  const column = document.lineAt(line - 1).text.indexOf(text);
  // Inside the name: at its very edge stands the quote.
  return column < 0 ? undefined : { uri, position: new vscode.Position(line - 1, column + 1) };
}

async function means({ uri, position }: Place, file: AbsolutePath): Promise<boolean> {
  const found = await withinTime(
    vscode.commands.executeCommand<readonly (vscode.Location | vscode.LocationLink)[]>(
      'vscode.executeDefinitionProvider',
      uri,
      position,
    ),
    ANSWER_LIMIT,
    'definition',
  );
  return (found ?? []).some((each) => {
    const target = 'targetUri' in each ? each.targetUri : each.uri;
    return target.scheme === 'file' && target.fsPath === file;
  });
}

async function renaming(
  { uri, position }: Place,
  name: string,
  log: Log,
): Promise<vscode.WorkspaceEdit | undefined> {
  try {
    return await withinTime(
      vscode.commands.executeCommand<vscode.WorkspaceEdit>(
        'vscode.executeDocumentRenameProvider',
        uri,
        position,
        name,
      ),
      ANSWER_LIMIT,
      'rename',
    );
  } catch (error) {
    log.debug(`imports: ${messageOf(error)}`);
    return undefined;
  }
}

async function later<T>(again: () => Promise<T>, signal: AbortSignal): Promise<T> {
  await delay(SECOND_TRY, signal);
  return again();
}

async function changesOf(edit: vscode.WorkspaceEdit): Promise<readonly FileChanges[]> {
  const changes: FileChanges[] = [];
  for (const [uri, edits] of edit.entries()) {
    if (uri.scheme !== 'file' || edits.length === 0) continue;
    const document = await withinTime(vscode.workspace.openTextDocument(uri), ANSWER_LIMIT, 'open');
    changes.push({
      path: uri.fsPath as AbsolutePath,
      before: document.getText(),
      changes: edits.map(({ range, newText }) => ({
        start: { line: range.start.line, column: range.start.character },
        end: { line: range.end.line, column: range.end.character },
        text: newText,
      })),
    });
  }
  return changes;
}
