import * as vscode from 'vscode';

/** What a checkpoint holds is read under this scheme. */
export const CHECKPOINT_SCHEME = 'belay-checkpoint';

/** One side of a comparison, by what its address says. */
export type SideQuery =
  /** A file of a turn as it was before or after it. */
  | {
      readonly side: 'before' | 'after';
      readonly checkpoint: string;
      readonly path: string;
    }
  /** What the changes of a file that wait for review are compared with. */
  | { readonly side: 'review'; readonly session: string; readonly path: string }
  /** A kept content. */
  | { readonly side: 'content'; readonly sha256: string }
  /** What is written in a link. */
  | { readonly side: 'link'; readonly target: string }
  /** The file itself as it is on the disk. */
  | { readonly side: 'now'; readonly path: string }
  /** Stands for a file that isn't there. */
  | { readonly side: 'nothing' };

/** A side of a change of a turn; `nothing` stands for a file that isn't there. */
export type Side = 'before' | 'after' | 'nothing';

/** Reads one side; undefined when there was no file. */
export type ReadSide = (
  query: Exclude<SideQuery, { readonly side: 'nothing' }>,
) => Promise<Uint8Array | undefined>;

/** Address of one side of a checkpointed file: the file's own path, so that language, icon and title are its own. */
export function sideUri(file: vscode.Uri, checkpoint: string, path: string, side: Side): vscode.Uri {
  return queryUri(file, side === 'nothing' ? { side } : { side, checkpoint, path });
}

/** Address of any side, under the path that it shall be shown with. */
export function queryUri(file: vscode.Uri, query: SideQuery): vscode.Uri {
  return file.with({ scheme: CHECKPOINT_SCHEME, query: new URLSearchParams({ ...query }).toString() });
}

/** What an address of ours says; undefined for others, and for what nobody of us wrote. */
export function queryOf({ scheme, query }: vscode.Uri): SideQuery | undefined {
  if (scheme !== CHECKPOINT_SCHEME) return undefined;
  const found = new URLSearchParams(query);
  const [side, path] = [found.get('side'), found.get('path')];
  const [checkpoint, session, sha256] = ['checkpoint', 'session', 'sha256'].map((name) => found.get(name));
  if (side === 'nothing') return { side };
  const target = found.get('target');
  if (side === 'link') return target === null ? undefined : { side, target };
  if (side === 'content') return sha256 ? { side, sha256 } : undefined;
  if (!path) return undefined;
  if (side === 'now') return { side, path };
  if (side === 'review') return session ? { side, session, path } : undefined;
  return (side === 'before' || side === 'after') && checkpoint ? { side, checkpoint, path } : undefined;
}

const NOTHING_TO_DISPOSE: vscode.Disposable = { dispose: () => undefined };

/** A read-only file system, since diffs of images and binaries need one: a text content provider isn't enough. */
export class CheckpointFileSystem implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #read: ReadSide;
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  /** What was last served of sides that may change, so that the editor is told only of those that did. */
  readonly #served = new Map<string, Uint8Array>();
  /** Stands for the time of the last change: the editor reads again only what has another one. */
  #version = 0;

  /** What a checkpoint holds never changes; what waits for review does. */
  readonly onDidChangeFile = this.#changed.event;

  constructor(read: ReadSide) {
    this.#read = read;
  }

  /** Looks at what is open for review and tells the editor what has become another content. */
  async refresh(): Promise<void> {
    const open = vscode.workspace.textDocuments.map(({ uri }) => uri).filter((uri) => changes(queryOf(uri)));
    const stale: vscode.Uri[] = [];
    for (const uri of open) {
      const before = this.#served.get(uri.toString());
      const now = await this.readFile(uri);
      if (before && Buffer.compare(before, now) !== 0) stale.push(uri);
    }
    if (stale.length === 0) return;
    this.#version += 1;
    this.#changed.fire(stale.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
  }

  watch(): vscode.Disposable {
    return NOTHING_TO_DISPOSE;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const bytes = await this.readFile(uri);
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: changes(queryOf(uri)) ? this.#version : 0,
      size: bytes.byteLength,
      permissions: vscode.FilePermission.Readonly,
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const query = queryOf(uri);
    if (!query) throw vscode.FileSystemError.FileNotFound(uri);
    // Absent on that side: the diff shows a new or a deleted file beside an empty one.
    const bytes = (query.side === 'nothing' ? undefined : await this.#read(query)) ?? new Uint8Array();
    if (changes(query)) this.#served.set(uri.toString(), bytes);
    return bytes;
  }

  readDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#changed.dispose();
    this.#served.clear();
  }
}

function changes(query: SideQuery | undefined): boolean {
  return query?.side === 'review';
}
