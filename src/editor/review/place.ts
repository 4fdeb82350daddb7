import { relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { t } from '#base/l10n';
import { queryOf } from '#editor/checkpoint-files';
import { activeTab, originalOf } from './active-tab';

/** A file under review, and the side that is meant. */
export interface ReviewPlace {
  /** Absent for a file that is open by itself: then the session shown is meant. */
  readonly sessionId: string | undefined;
  readonly path: string;
  readonly side: 'now' | 'before';
}

/**
 * What a command is about: a title button and the menus hand over an address (`editor/lineNumber/context` with a line), a key or the
 * palette nothing, then it is the active editor. Throws in words for people.
 */
export function placeOf(given: unknown, folder: vscode.Uri): ReviewPlace {
  const uri = uriOf(given) ?? vscode.window.activeTextEditor?.document.uri ?? modifiedOf(activeTab());
  if (!uri) throw new Error(t('Open a file with changes to review.'));
  const query = queryOf(uri);
  if (query?.side === 'review') return { sessionId: query.session, path: query.path, side: 'before' };
  const active = originalOf(activeTab());
  const path = query ? undefined : pathIn(folder, uri);
  if (active?.side === 'review' && (path === undefined || active.path === path))
    return { sessionId: active.session, path: active.path, side: 'now' };
  if (path === undefined) throw new Error(t('Open a file with changes to review.'));
  return { sessionId: undefined, path, side: 'now' };
}

/** The line that a menu was opened on, else the cursor's; 1-based. */
export function lineOf(given: unknown): number {
  if (
    typeof given === 'object' &&
    given !== null &&
    'lineNumber' in given &&
    typeof given.lineNumber === 'number'
  )
    return given.lineNumber;
  return (vscode.window.activeTextEditor?.selection.active.line ?? 0) + 1;
}

function uriOf(given: unknown): vscode.Uri | undefined {
  if (given instanceof vscode.Uri) return given;
  if (typeof given === 'object' && given !== null && 'uri' in given && given.uri instanceof vscode.Uri)
    return given.uri;
  return undefined;
}

function modifiedOf(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  return tab?.input instanceof vscode.TabInputTextDiff ? tab.input.modified : undefined;
}

function pathIn(folder: vscode.Uri, { scheme, fsPath }: vscode.Uri): string | undefined {
  if (scheme !== 'file') return undefined;
  const path = relative(folder.fsPath, fsPath);
  const isOutside = path === '' || path.startsWith('..') || path === fsPath;
  return isOutside ? undefined : path.split(sep).join('/');
}
