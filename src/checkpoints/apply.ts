import { dirname } from 'node:path';
import { t } from '#base/l10n';
import { assertNever, fail, messageOf, ok, type Result } from '#base/result';
import { syncFolder } from '#disk/durable';
import type { FileProblem, Landed, Landing } from '#host';
import type { Conflict } from '#protocol/checkpoint';
import type { AbsolutePath, Sha256 } from '#protocol/ids';
import type { Action, Present, PresentFile, PresentLink, Work } from './action';
import { actionsFor, inverseOf } from './actions';
import { absolutePath } from './paths';
import { linkAboveWords } from './way';
import type { World } from './world';

/** A restore that went through. */
export interface Applied {
  /** What to say about it. */
  readonly notes: readonly string[];
  /** How many folders were made and removed. */
  readonly folders: number;
}

type Writing = Action & { readonly kind: 'write' };

/** Writes that may be under way at once: each waits for the disk twice, and the disk serves several waits in one. */
const SIDE_BY_SIDE = 4;

/**
 * Does the work, all of it or none: when a step fails, the steps before it are taken back in reverse. A file that somebody
 * changes in between keeps what they wrote.
 */
export async function applyAll(world: World, work: Work): Promise<Result<Applied, Conflict>> {
  const done: Action[] = [];
  const notes: string[] = [];
  for (const group of groupsOf(actionsFor(work))) {
    const performed = await Promise.all(
      group.map(async (action) => ({ action, result: await perform(world, action) })),
    );
    let failed: { readonly action: Action; readonly error: FileProblem } | undefined;
    for (const { action, result } of performed) {
      if (result.ok) {
        done.push(action);
        world.onStep?.('applied');
      } else if (action.kind === 'remove-folder')
        notes.push(t('The folder {0} was kept: it is not empty', action.path));
      else failed ??= { action, error: result.error };
    }
    if (failed) return fail(await failure(world, done, failed));
  }
  await syncFolders(world, done);
  const ofFolders = done.filter(({ kind }) => kind === 'make-folder' || kind === 'remove-folder');
  return ok({ notes, folders: ofFolders.length });
}

/** What a restore reports as done has to outlast a power cut; all else that lands waits for its folder by itself. */
async function syncFolders(world: World, done: readonly Action[]): Promise<void> {
  const written = done.filter(({ kind }) => kind === 'write');
  const folders = new Set(written.map(({ path }) => dirname(absolutePath(world.folder, path))));
  await Promise.all([...folders].map(syncFolder));
}

/** Writes that follow one another are of different files and links, so they can go side by side; all else goes one by one. */
function groupsOf(actions: readonly Action[]): readonly (readonly Action[])[] {
  const groups: Action[][] = [];
  for (const action of actions) {
    const last = groups.at(-1);
    const joins = action.kind === 'write' && last?.[0]?.kind === 'write' && last.length < SIDE_BY_SIDE;
    if (joins) last.push(action);
    else groups.push([action]);
  }
  return groups;
}

async function failure(
  world: World,
  done: readonly Action[],
  { action, error }: { readonly action: Action; readonly error: FileProblem },
): Promise<Conflict> {
  const left = await takeBack(world, done);
  const why = error.message;
  return {
    path: pathOf(action),
    why: left.length === 0 ? why : `${why}. ${t('Not taken back: {0}', left.join(', '))}`,
  };
}

async function takeBack(world: World, done: readonly Action[]): Promise<string[]> {
  const left: string[] = [];
  for (const action of [...done].reverse()) {
    const inverse = inverseOf(action);
    const performed = await perform(world, inverse);
    if (!performed.ok && inverse.kind !== 'remove-folder') {
      world.log.error(
        `restore: could not take back ${action.kind} ${action.path}: ${performed.error.message}`,
      );
      left.push(action.path);
    }
  }
  return left;
}

async function perform(world: World, action: Action): Promise<Result<void, FileProblem>> {
  const path = absolutePath(world.folder, action.path);
  try {
    const isElsewhere = await leadsElsewhere(world, action);
    if (isElsewhere) return fail(isElsewhere);
    switch (action.kind) {
      case 'make-folder':
        return nothing(await world.files.land({ kind: 'make-folder', path, ...modeFor(action.bits) }));
      case 'folder-bits':
        return nothing(
          await world.files.land({
            ...{ kind: 'folder-bits', path, expected: action.was, mode: action.becomes },
          }),
        );
      case 'remove-folder':
        return nothing(await world.files.land({ kind: 'remove-empty-folder', path }));
      case 'delete':
        return nothing(await world.files.land(removal(path, action.was)));
      case 'rename': {
        const to = absolutePath(world.folder, action.to);
        return nothing(await world.files.land({ kind: 'rename', path, to, expected: action.file.sha256 }));
      }
      case 'write':
        return action.becomes.kind === 'link'
          ? nothing(await world.files.land(linking(path, action.was, action.becomes)))
          : await write(world, { ...action, becomes: action.becomes });
      default:
        return assertNever(action);
    }
  } catch (error) {
    return fail({ kind: 'failed', message: messageOf(error) });
  }
}

/** The folder in which it is to be done is, or is found through, a link by now: nothing is ever done there. */
async function leadsElsewhere(world: World, action: Action): Promise<FileProblem | undefined> {
  const paths = action.kind === 'rename' ? [action.path, action.to] : [action.path];
  for (const relative of paths) {
    const path = absolutePath(world.folder, relative);
    // The workspace folder itself, of which only the permission bits change, is where it was opened.
    if (path === world.folder) continue;
    const folder = dirname(path);
    const real = await world.files.realPath(folder);
    if (real !== undefined && real !== folder) return { kind: 'changed', message: linkAboveWords() };
  }
  return undefined;
}

function modeFor(bits: number | undefined): { readonly mode?: number } {
  return bits === undefined ? {} : { mode: bits };
}

function removal(path: AbsolutePath, was: Present): Landing {
  return was.kind === 'link'
    ? { kind: 'remove-link', path, target: was.target }
    : { kind: 'delete', path, expected: was.sha256 };
}

function linking(path: AbsolutePath, was: Writing['was'], { target }: PresentLink): Landing {
  switch (was.kind) {
    case 'absent':
      return { kind: 'make-link', path, target };
    case 'link':
      return { kind: 'make-link', path, target, insteadOf: { target: was.target } };
    case 'file':
      return { kind: 'make-link', path, target, insteadOf: { sha256: was.sha256 } };
  }
}

/** Writes exactly the recorded bytes: where saving in an editor changed them, they go to the disk past it. */
async function write(
  world: World,
  { path: relative, was, becomes }: Writing & { readonly becomes: PresentFile },
): Promise<Result<void, FileProblem>> {
  const bytes = world.held?.get(becomes.sha256)?.bytes ?? (await world.blobs.get(becomes.sha256));
  if (!bytes) return fail({ kind: 'failed', message: t("its content is missing from Belay's storage") });
  const path = absolutePath(world.folder, relative);
  if (was.kind !== 'file') {
    const place = was.kind === 'link' ? { insteadOf: was.target } : {};
    const made = await world.files.land({ kind: 'create', path, bytes, mode: becomes.mode, ...place });
    return made.ok ? exactly(made.value, becomes.sha256) : made;
  }
  const mode = was.mode === becomes.mode ? {} : { mode: becomes.mode };
  const landed = await world.files.land({ kind: 'replace', path, bytes, expected: was.sha256, ...mode });
  if (!landed.ok) return landed;
  const { after } = landed.value;
  if (!after || after.sha256 === becomes.sha256) return ok(undefined);
  const again = await world.files.land({
    kind: 'replace',
    path,
    bytes,
    expected: after.sha256,
    exact: true,
    ...mode,
  });
  const done = again.ok ? exactly(again.value, becomes.sha256) : again;
  if (!done.ok) await putBack(world, path, { was: was.sha256, now: after.sha256 });
  return done;
}

/** The first half of a failed write is on the disk: the old content returns, unless somebody else wrote by now. */
async function putBack(
  world: World,
  path: AbsolutePath,
  { was, now }: { readonly was: Sha256; readonly now: Sha256 },
): Promise<void> {
  const bytes = await world.blobs.get(was);
  if (bytes) await world.files.land({ kind: 'replace', path, bytes, expected: now, exact: true });
}

function exactly({ after }: Landed, wanted: Sha256): Result<void, FileProblem> {
  if (!after || after.sha256 === wanted) return ok(undefined);
  return fail({
    kind: 'changed',
    message: t('something changed the file again while it was being restored'),
  });
}

function nothing(landed: Result<Landed, FileProblem>): Result<void, FileProblem> {
  return landed.ok ? ok(undefined) : landed;
}

function pathOf(action: Action): string {
  return action.kind === 'rename' ? action.to : action.path;
}
