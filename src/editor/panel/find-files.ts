import { AsyncFzf } from 'fzf';
import * as vscode from 'vscode';
import type { Disposable } from '#base/disposable';

/** Most files that are listed for completion; beyond it, deeper names must be typed by hand. */
const MOST_FILES = 50_000;
const MOST_RESULTS = 30;
/** Milliseconds for which a listing is used again while the person types. */
const FRESH = 15_000;

export interface FoundFile {
  readonly path: string;
  /** Indexes of the matched characters, for emphasis. */
  readonly positions: readonly number[];
}

/** Fuzzy completion of the folder's files for @-mentions. The listing honours the editor's own exclude settings. */
export class FileFinder implements Disposable {
  readonly #folder: vscode.Uri;
  #listing: { readonly at: number; readonly paths: Promise<readonly string[]> } | undefined;
  #searching: vscode.CancellationTokenSource | undefined;

  constructor(folder: vscode.Uri) {
    this.#folder = folder;
  }

  async find(query: string): Promise<readonly FoundFile[]> {
    const paths = await this.#list();
    if (query === '') return recentFirst(paths, this.#folder).map((path) => ({ path, positions: [] }));
    const finder = new AsyncFzf([...paths], {
      limit: MOST_RESULTS,
      fuzzy: paths.length > 20_000 ? 'v1' : 'v2',
    });
    try {
      const found = await finder.find(query);
      return found.map(({ item, positions }) => ({
        path: item,
        positions: [...positions].sort((a, b) => a - b),
      }));
    } catch {
      // fzf rejects a search that a newer one overtook: the newer one answers.
      return [];
    }
  }

  dispose(): void {
    this.#searching?.cancel();
  }

  #list(): Promise<readonly string[]> {
    const now = Date.now();
    if (this.#listing && now - this.#listing.at < FRESH) return this.#listing.paths;
    this.#searching?.cancel();
    this.#searching = new vscode.CancellationTokenSource();
    const pattern = new vscode.RelativePattern(this.#folder, '**/*');
    const paths = Promise.resolve(
      vscode.workspace.findFiles(pattern, '**/{node_modules,.git}/**', MOST_FILES, this.#searching.token),
    ).then((uris) => uris.map((uri) => relative(uri, this.#folder)).sort());
    this.#listing = { at: now, paths };
    return paths;
  }
}

/** What is open comes first: it is what people mostly mean. */
function recentFirst(paths: readonly string[], folder: vscode.Uri): readonly string[] {
  const open = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .flatMap((tab) =>
      tab.input instanceof vscode.TabInputText && tab.input.uri.scheme === 'file'
        ? [relative(tab.input.uri, folder)]
        : [],
    );
  const known = new Set(paths);
  return [...new Set([...open.filter((path) => known.has(path)), ...paths])].slice(0, MOST_RESULTS);
}

function relative(uri: vscode.Uri, folder: vscode.Uri): string {
  const prefix = folder.path.endsWith('/') ? folder.path : `${folder.path}/`;
  return uri.path.startsWith(prefix) ? uri.path.slice(prefix.length) : uri.path;
}
