import * as vscode from 'vscode';
import type { TextPosition, TextRange } from '#host/language/answer';
import type { TextChange } from '#host/language/edits';
import type { Place } from '#host/language/places';
import type { AbsolutePath } from '#protocol/ids';

/** A place of a text, for the editor. */
export function toPosition({ line, column }: TextPosition): vscode.Position {
  return new vscode.Position(line, column);
}

/** A stretch of a text, for the editor. */
export function toRange({ start, end }: TextRange): vscode.Range {
  return new vscode.Range(toPosition(start), toPosition(end));
}

/** A stretch of a text, from the editor. */
function fromRange({ start, end }: vscode.Range): TextRange {
  return {
    start: { line: start.line, column: start.character },
    end: { line: end.line, column: end.character },
  };
}

/** A stretch of some file, from the editor. */
export function toPlace(uri: vscode.Uri, range: vscode.Range): Place {
  const path = uri.scheme === 'file' ? (uri.fsPath as AbsolutePath) : undefined;
  return { path, uri: uri.toString(true), range: fromRange(range) };
}

/** A change of a text, from the editor. */
export function toChange({ range, newText }: vscode.TextEdit): TextChange {
  return { ...fromRange(range), text: newText };
}

/** "function", "enum member". */
export function kindWord(kind: vscode.SymbolKind): string {
  const word = vscode.SymbolKind[kind] ?? 'symbol';
  return word.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
