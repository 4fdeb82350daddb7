import { realpathSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { assertNever, fail, ok, type Result } from '#base/result';
import type { FileProblem, Files, Landed, Landing } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import { replaceFile } from './atomic-write';
import { createFile } from './create';
import { setFolderBits } from './folder-bits';
import { makeLink, removeLink, replaceLink, targetOf } from './links';
import { moveFile } from './move';
import { readRegularFile } from './read';
import { makeFolder, removeEmptyFolder, removeFile } from './remove';
import { isNothing, kindOf, statOf } from './stat';

type LandResult = Promise<Result<Landed, FileProblem>>;

/** The Files port on a plain disk. */
export function diskFiles(): Files {
  return {
    stat: statOf,
    realPath,
    list: async (path) =>
      (await readdir(path, { withFileTypes: true })).map((entry) => ({
        name: entry.name,
        kind: kindOf(entry),
      })),
    read: readRegularFile,
    readLink: async (path) => targetOf(path),
    land,
  };
}

/** At once, as `statOf`: every call of a tool asks for several, and a trip through the thread pool takes many times as long. */
async function realPath(path: string): Promise<AbsolutePath | undefined> {
  try {
    // A word of a command is seldom a file, and finding that out by an error costs ten times more.
    if (!statSync(path, { throwIfNoEntry: false })) return undefined;
    return realpathSync.native(path) as AbsolutePath;
  } catch (error) {
    if (isNothing(error)) return undefined;
    throw error;
  }
}

async function land(change: Landing): LandResult {
  switch (change.kind) {
    case 'create':
      return withContent(change.path, await created(change));
    case 'replace':
      return replaced(change);
    case 'rename':
      return withContent(change.to, await moveFile(change.path, change.to, change.expected));
    case 'delete':
      return withoutContent(await removeFile(change.path, change.expected));
    case 'make-folder':
      return withoutContent(await makeFolder(change.path, change.mode));
    case 'folder-bits':
      return withoutContent(await setFolderBits(change.path, change));
    case 'remove-empty-folder':
      return withoutContent(await removeEmptyFolder(change.path));
    case 'make-link':
      return withoutContent(await makeLink(change.path, change.target, change.insteadOf));
    case 'remove-link':
      return withoutContent(await removeLink(change.path, change.target));
    default:
      return assertNever(change);
  }
}

function created({
  path,
  bytes,
  mode,
  insteadOf,
}: Landing & { readonly kind: 'create' }): Promise<Result<void, FileProblem>> {
  return insteadOf === undefined
    ? createFile(path, bytes, mode)
    : replaceLink(path, insteadOf, { bytes, mode });
}

async function replaced(change: Landing & { readonly kind: 'replace' }): LandResult {
  const { path, bytes } = change;
  const done = await replaceFile(path, bytes, change);
  if (!done.ok) return done;
  if (done.value.via === 'disk' && done.value.after)
    return ok({ via: 'disk', after: done.value.after, notes: [] });
  const landed = await withContent(path, ok(undefined));
  if (!landed.ok || done.value.via === 'disk') return landed;
  return ok({ ...landed.value, via: 'in-place', notes: [done.value.note] });
}

/** Reads back what is there now: a watcher may have been faster than us. */
async function withContent(path: string, done: Result<void, FileProblem>): LandResult {
  if (!done.ok) return done;
  const now = await readRegularFile(path);
  // The change has landed; that it is gone again is for whoever looks next.
  if (!now.ok) return ok({ via: 'disk', notes: [now.error.message] });
  const { sha256, stat, bytes } = now.value;
  return ok({ via: 'disk', after: { sha256, bytes: bytes.byteLength, mode: stat.mode }, notes: [] });
}

function withoutContent(done: Result<void, FileProblem>): Result<Landed, FileProblem> {
  return done.ok ? ok({ via: 'disk', notes: [] }) : fail(done.error);
}
