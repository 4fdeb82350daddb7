import { AsyncFzf } from 'fzf';
import * as vscode from 'vscode';

/** Most files that are listed for completion; beyond it, deeper names must be typed by hand. */
const MOST_FILES = 50_000;
/** From here on the faster of fzf's two ways is taken. */
const MANY_FILES = 20_000;
const MOST_RESULTS = 30;
/** Milliseconds for which a listing is used again while the person types. */
const FRESH = 15_000;

interface FoundFile {
  readonly path: string;
  /** Indexes of the matched characters, for emphasis. */
  readonly positions: readonly number[];
}

interface Listing {
  readonly paths: readonly string[];
  /** Made once for a listing: it takes every path apart. */
  readonly finder: AsyncFzf<readonly string[]>;
}

/** Fuzzy completion of a folder's files for @-mentions. The listing honours the editor's own exclude settings. */
export class FileFinder {
  #folder: vscode.Uri | undefined;
  #listing: Promise<Listing> | undefined;
  #at = 0;

  async find(folder: vscode.Uri, query: string): Promise<readonly FoundFile[]> {
    const { paths, finder } = await this.#list(folder);
    if (query === '') return openFirst(paths, folder).map((path) => ({ path, positions: [] }));
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

  #list(folder: vscode.Uri): Promise<Listing> {
    const now = Date.now();
    const fresh = this.#folder?.toString() === folder.toString() && now - this.#at < FRESH;
    if (this.#listing && fresh) return this.#listing;
    const listing = list(folder);
    this.#folder = folder;
    this.#at = now;
    this.#listing = listing;
    listing.catch(() => {
      if (this.#listing === listing) this.#listing = undefined;
    });
    return listing;
  }
}

async function list(folder: vscode.Uri): Promise<Listing> {
  const pattern = new vscode.RelativePattern(folder, '**/*');
  const uris = await vscode.workspace.findFiles(pattern, '**/{node_modules,.git}/**', MOST_FILES);
  const paths = uris.map((uri) => relative(uri, folder)).sort();
  const fuzzy = paths.length > MANY_FILES ? 'v1' : 'v2';
  return { paths, finder: new AsyncFzf(paths, { limit: MOST_RESULTS, fuzzy }) };
}

/** What is open comes first: it is what people mostly mean. */
function openFirst(paths: readonly string[], folder: vscode.Uri): readonly string[] {
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
