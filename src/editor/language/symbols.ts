import * as vscode from 'vscode';
import { messageOf } from '#base/result';
import { WindowSilent, withinTime } from '#editor/time-limit';
import type { Answer, FileText } from '#host/language/answer';
import type { CodeSymbol, FileSymbol } from '#host/language/places';
import { type Asking, ask } from './ask';
import { kindWord, toPlace } from './convert';

/** Deeper ones are left out, as are more than so many. */
const DEEPEST = 20;
const MOST = 5000;
const SEARCH_LIMIT = 10_000;

/** What a file declares, in its order, with how deep each stands in others. */
export async function askFileSymbols(
  file: FileText,
  signal: AbortSignal,
  asking: Asking,
): Promise<Answer<readonly FileSymbol[]>> {
  let uri = vscode.Uri.file(file.path);
  const found = await ask<readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[]>(
    file,
    {
      what: 'symbols of a file',
      put: (document) => {
        uri = document.uri;
        return vscode.commands.executeCommand('vscode.executeDocumentSymbolProvider', uri);
      },
      nothing: [],
      isEmpty: (symbols) => symbols.length === 0,
    },
    signal,
    asking,
  );
  if (found.kind !== 'known') return found;
  const symbols: FileSymbol[] = [];
  for (const symbol of found.value) flatten(symbol, 0, uri, symbols);
  return { kind: 'known', value: symbols };
}

function flatten(
  symbol: vscode.DocumentSymbol | vscode.SymbolInformation,
  depth: number,
  uri: vscode.Uri,
  into: FileSymbol[],
): void {
  if (into.length >= MOST) return;
  const kind = kindWord(symbol.kind);
  // What the editor answers with has the fields of both.
  if (!('children' in symbol)) {
    const { name, containerName, location } = symbol;
    const place = toPlace(uri, location.range);
    into.push({ name, kind, detail: containerName ?? '', place, depth, lastLine: location.range.end.line });
    return;
  }
  const { name, detail, selectionRange, range, children } = symbol;
  const place = toPlace(uri, selectionRange);
  into.push({ name, kind, detail: detail ?? '', place, depth, lastLine: range.end.line });
  if (depth >= DEEPEST) return;
  const inOrder = children.toSorted((a, b) => a.range.start.compareTo(b.range.start));
  for (const child of inOrder) flatten(child, depth + 1, uri, into);
}

/** Symbols of all projects whose servers run. `near` has its project's server started and read the project. */
export async function askWorkspaceSymbols(
  query: string,
  near: FileText | undefined,
  signal: AbortSignal,
  asking: Asking,
): Promise<Answer<readonly CodeSymbol[]>> {
  const search = () =>
    vscode.commands.executeCommand<readonly vscode.SymbolInformation[]>(
      'vscode.executeWorkspaceSymbolProvider',
      query,
    );
  if (near !== undefined) {
    const question = {
      what: 'symbols',
      needsProject: true,
      put: search,
      nothing: [],
      isEmpty: (found: readonly vscode.SymbolInformation[]) => found.length === 0,
    };
    const found = await ask(near, question, signal, asking);
    return found.kind === 'known' ? { kind: 'known', value: found.value.map(symbolOf) } : found;
  }
  try {
    const found = await withinTime(search(), SEARCH_LIMIT, 'symbols', signal);
    return { kind: 'known', value: (found ?? []).map(symbolOf) };
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof WindowSilent ? { kind: 'late' } : { kind: 'refused', why: messageOf(error) };
  }
}

function symbolOf({ name, kind, containerName, location }: vscode.SymbolInformation): CodeSymbol {
  const place = toPlace(location.uri, location.range);
  return { name, kind: kindWord(kind), detail: containerName ?? '', place };
}
