import { basename, dirname } from 'node:path';
import { sha256 } from '#base/hash';
import { fail, messageOf, ok, type Result } from '#base/result';
import { foldName } from '#base/text';
import { changed } from '#disk/problem';
import type { FileContent, FileProblem, Landed, Landing } from '#host';
import type { FileState } from '#protocol/checkpoint';
import type { AbsolutePath, Sha256 } from '#protocol/ids';
import type { FileOperation } from '#protocol/tool-result';
import { DatabaseGone } from '#store/database';
import type { Content } from './blobs';
import { ABSENT, sameContent } from './chain';
import { CONTENT_LIMIT } from './look';
import { relativePath } from './paths';
import type { World } from './world';

/** A change to a file; folders come and go with the files in them, and links are made by commands alone. */
export type FileLanding = Exclude<
  Landing,
  { readonly kind: 'make-folder' | 'remove-empty-folder' | 'folder-bits' | 'make-link' | 'remove-link' }
>;

/** What a landing is about to do, with what it destroys already kept. Paths are relative to the folder. */
export interface Intent {
  readonly kind: FileOperation;
  readonly path: string;
  readonly from: string | undefined;
  readonly before: FileState;
  readonly planned: FileState;
  /** What stood there. */
  readonly old: FileContent | undefined;
  /** What is to stand there; absent for renames and deletions. */
  readonly now: Content | undefined;
  /** The blob of what stood there: written, and to be waited for before the change. Undefined where nothing is lost. */
  readonly kept: Sha256 | undefined;
}

/** Looks at the target, refuses what undo couldn't take back, and begins to keep the content that will be gone. */
export async function intend(
  world: World,
  landing: FileLanding,
  left: ReadonlyMap<string, FileState>,
): Promise<Result<Intent, FileProblem>> {
  const path = relativePath(world.folder, landing.kind === 'rename' ? landing.to : landing.path);
  const source = relativePath(world.folder, landing.path);
  if (path === undefined || source === undefined)
    throw new Error(`a change outside the workspace can't be journalled: ${landing.path}`);
  if (landing.kind === 'create') return intendCreation(world, landing, path);
  const found = await preImage(world, landing);
  if (!found.ok) return found;
  const { old, before } = found.value;
  if (landing.kind === 'rename' && (await isTaken(world, landing))) return fail(taken(path));
  const known = left.get(source);
  const isKept = known !== undefined && sameContent(known, before);
  const problem = isKept ? undefined : await keep(world, old);
  if (problem) return fail(problem);
  const kept = isKept ? undefined : old.sha256;
  if (landing.kind === 'delete')
    return ok({ kind: 'delete', path, from: undefined, before, planned: ABSENT, old, now: undefined, kept });
  if (landing.kind === 'rename')
    return ok({ kind: 'rename', path, from: source, before, planned: before, old, now: undefined, kept });
  const now = { bytes: landing.bytes, sha256: sha256(landing.bytes) as Sha256 };
  const planned = fileState(now, landing.mode ?? (before.kind === 'file' ? before.mode : 0));
  return ok({ kind: 'modify', path, from: undefined, before, planned, old, now, kept });
}

async function intendCreation(
  world: World,
  landing: FileLanding & { readonly kind: 'create' },
  path: string,
): Promise<Result<Intent, FileProblem>> {
  if (await world.files.stat(landing.path)) return fail(taken(path));
  const now = { bytes: landing.bytes, sha256: sha256(landing.bytes) as Sha256 };
  // The system decides on the mode of a new file; the real one is recorded after the write.
  const planned = fileState(now, landing.mode ?? 0o644);
  const kept = undefined;
  return ok({ kind: 'create', path, from: undefined, before: ABSENT, planned, old: undefined, now, kept });
}

async function preImage(
  world: World,
  landing: { readonly path: AbsolutePath; readonly expected: Sha256 },
): Promise<Result<{ readonly old: FileContent; readonly before: FileState }, FileProblem>> {
  const read = await world.files.read(landing.path, { maxBytes: CONTENT_LIMIT });
  if (!read.ok) return read;
  const { stat, more, sha256: found } = read.value;
  if (more) {
    const message = `the file has ${Math.ceil(stat.bytes / 1024 / 1024)} MB; Belay changes only what it can take back, files up to ${CONTENT_LIMIT / 1024 / 1024} MB. Ask the user to do it`;
    return fail({ kind: 'too-large', message });
  }
  if (found !== landing.expected) return fail(changed(landing.path));
  return ok({ old: read.value, before: fileState(read.value, stat.mode) });
}

async function keep(world: World, old: Content): Promise<FileProblem | undefined> {
  try {
    await world.blobs.write(old);
    world.onStep?.('kept');
    return undefined;
  } catch (error) {
    return notKept(error);
  }
}

/** The new name is another entry than the old one, be it of the same file: a hard link is somebody's name too. */
async function isTaken(
  world: World,
  { path, to }: FileLanding & { readonly kind: 'rename' },
): Promise<boolean> {
  const there = await world.files.stat(to);
  if (!there) return false;
  if (to === path || dirname(to) !== dirname(path) || foldName(to) !== foldName(path)) return true;
  // One entry found under both spellings: the disk ignores case, and only that changes.
  const names = (await world.files.list(dirname(path) as AbsolutePath)).map(({ name }) => name);
  return names.includes(basename(to));
}

/** The state after the landing, and its content where that is at hand: saving in an editor may have changed it further. */
export async function outcomeOf(
  world: World,
  { intent, at, landed }: { readonly intent: Intent; readonly at: AbsolutePath; readonly landed: Landed },
): Promise<{ readonly state: FileState; readonly content: Content | undefined }> {
  if (intent.kind === 'delete') return { state: ABSENT, content: undefined };
  const { after } = landed;
  const isAsPlanned = after && intent.planned.kind === 'file' && after.sha256 === intent.planned.sha256;
  if (after && isAsPlanned) return { state: { kind: 'file', ...after }, content: intent.now };
  const read = await world.files.read(at, { maxBytes: CONTENT_LIMIT });
  const content = read.ok && !read.value.more ? read.value : undefined;
  if (after)
    return {
      state: { kind: 'file', ...after },
      content: content?.sha256 === after.sha256 ? content : undefined,
    };
  if (!read.ok || !content) return { state: read.ok ? intent.planned : ABSENT, content: undefined };
  return { state: fileState(content, read.value.stat.mode), content };
}

/** The disk is full, or Belay's own storage can't be written: nothing has happened to the file. */
export function notKept(error: unknown): FileProblem {
  if (error instanceof DatabaseGone)
    return {
      kind: 'failed',
      message: `${error.message}, so nothing was changed; the user has to reload the window`,
    };
  const message = `Belay could not keep what the change would destroy (${messageOf(error)}), so nothing was changed; free some disk space and try again`;
  return { kind: 'failed', message };
}

function taken(path: string): FileProblem {
  return { kind: 'exists', message: `something named ${path} is already there; choose another name` };
}

function fileState(content: Content, mode: number): FileState {
  return { kind: 'file', sha256: content.sha256, bytes: content.bytes.byteLength, mode };
}
