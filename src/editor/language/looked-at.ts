import * as vscode from 'vscode';
import { hasTab } from '#editor/tabs';
import type { Served } from './served';

/**
 * Whether a server looks at a file: since it has a tab, or since it looks at all that is open. A tab of a language that nobody serves isn't
 * looked at, nor one that hasn't been shown since the window started: it has no document.
 */
export function isLookedAt(uri: vscode.Uri, served: Served): boolean {
  const document = vscode.workspace.textDocuments.find(
    (each) => each.uri.scheme === uri.scheme && each.uri.fsPath === uri.fsPath,
  );
  if (document === undefined) return false;
  if (!hasTab(uri)) return served.hasLooked(document);
  const { kind } = served.by(document);
  return kind === 'extension' || kind === 'server';
}
