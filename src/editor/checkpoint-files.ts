import * as vscode from 'vscode';

/** What a checkpoint holds is read under this scheme. */
export const CHECKPOINT_SCHEME = 'belay-checkpoint';

/** A side of a change; `nothing` stands for a file that isn't there. */
export type Side = 'before' | 'after' | 'nothing';

/** Reads one side of one file of a checkpoint; undefined when there was no file. */
type ReadSide = (
  checkpointId: string,
  path: string,
  side: 'before' | 'after',
) => Promise<Uint8Array | undefined>;

/** Address of one side of a checkpointed file: the file's own path, so that language, icon and title are its own. */
export function sideUri(file: vscode.Uri, checkpointId: string, path: string, side: Side): vscode.Uri {
  return file.with({
    scheme: CHECKPOINT_SCHEME,
    query: new URLSearchParams({ checkpoint: checkpointId, path, side }).toString(),
  });
}

const NOTHING_TO_DISPOSE: vscode.Disposable = { dispose: () => undefined };

/** A read-only file system, since diffs of images and binaries need one: a text content provider isn't enough. */
export class CheckpointFileSystem implements vscode.FileSystemProvider {
  readonly #read: ReadSide;

  /** What a checkpoint holds never changes. */
  readonly onDidChangeFile = () => NOTHING_TO_DISPOSE;

  constructor(read: ReadSide) {
    this.#read = read;
  }

  watch(): vscode.Disposable {
    return NOTHING_TO_DISPOSE;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const bytes = await this.readFile(uri);
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: 0,
      size: bytes.byteLength,
      permissions: vscode.FilePermission.Readonly,
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const query = new URLSearchParams(uri.query);
    const [checkpoint, path, side] = [query.get('checkpoint'), query.get('path'), query.get('side')];
    if (side === 'nothing') return new Uint8Array();
    if (!checkpoint || !path || (side !== 'before' && side !== 'after'))
      throw vscode.FileSystemError.FileNotFound(uri);
    // Absent on that side: the diff shows a new or a deleted file beside an empty one.
    return (await this.#read(checkpoint, path, side)) ?? new Uint8Array();
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
}
