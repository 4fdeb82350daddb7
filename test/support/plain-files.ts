import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { sha256 } from '#base/hash';
import { fail, ok, type Result } from '#base/result';
import type { FileContent, FileKind, FileProblem, FileStat, Files, Landed, Landing } from '#host';
import type { AbsolutePath, Sha256 } from '#protocol/ids';

/** The Files port over plain `node:fs`, without durability: enough for unit tests of what stands above it. */
export function plainFiles(): Files {
  return { stat, realPath, list, read, land };
}

interface Named {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
}

function kindOf(entry: Named): FileKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  if (entry.isSymbolicLink()) return 'symlink';
  if (entry.isFIFO()) return 'fifo';
  return entry.isSocket() ? 'socket' : 'other';
}

const absent = (error: unknown): undefined => {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
  throw error;
};

async function stat(path: AbsolutePath): Promise<FileStat | undefined> {
  const found = await lstat(path, { bigint: true }).catch(absent);
  if (found === undefined) return undefined;
  return {
    kind: kindOf(found),
    bytes: Number(found.size),
    mode: Number(found.mode & 0o7777n),
    links: Number(found.nlink),
    mtimeNs: found.mtimeNs,
    identity: `${found.dev}:${found.ino}`,
  };
}

async function realPath(path: string): Promise<AbsolutePath | undefined> {
  return (await realpath(path).catch(absent)) as AbsolutePath | undefined;
}

async function list(path: AbsolutePath) {
  const entries = await readdir(path, { withFileTypes: true });
  return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
}

async function read(
  path: AbsolutePath,
  options: { readonly maxBytes?: number } = {},
): Promise<Result<FileContent & { readonly more: boolean }, FileProblem>> {
  const found = await stat(path);
  if (found === undefined) return fail({ kind: 'missing', message: 'the file does not exist' });
  if (found.kind !== 'file')
    return fail({ kind: 'not-a-file', message: `is a ${found.kind}, not a regular file` });
  const limit = options.maxBytes ?? found.bytes;
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const buffer = new Uint8Array(limit + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    const bytes = buffer.slice(0, Math.min(length, limit));
    return ok({ bytes, sha256: sha256(bytes) as Sha256, stat: found, more: length > limit });
  } finally {
    await handle.close();
  }
}

async function land(change: Landing): Promise<Result<Landed, FileProblem>> {
  const done = async (at?: AbsolutePath): Promise<Result<Landed, FileProblem>> => {
    if (at === undefined) return ok({ via: 'disk', notes: [] });
    const now = await read(at);
    if (!now.ok) return now;
    const { sha256: hash, stat: found } = now.value;
    return ok({ via: 'disk', notes: [], after: { sha256: hash, bytes: found.bytes, mode: found.mode } });
  };
  if ('expected' in change) {
    const now = await read(change.path);
    if (!now.ok) return now;
    if (now.value.sha256 !== change.expected)
      return fail({ kind: 'changed', message: 'the file changed meanwhile' });
  }
  switch (change.kind) {
    case 'create':
      if ((await stat(change.path)) !== undefined)
        return fail({ kind: 'exists', message: 'something is there already' });
      await writeFile(change.path, change.bytes, { flag: 'wx', mode: change.mode ?? 0o666 });
      return done(change.path);
    case 'replace':
      await writeFile(change.path, change.bytes);
      return done(change.path);
    case 'rename':
      if ((await stat(change.to)) !== undefined)
        return fail({ kind: 'exists', message: 'something is there already' });
      await rename(change.path, change.to);
      return done(change.to);
    case 'delete':
      await rm(change.path);
      return done();
    case 'make-folder':
      await mkdir(change.path);
      return done();
    case 'remove-empty-folder':
      await rmdir(change.path);
      return done();
  }
}
