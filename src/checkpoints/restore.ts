import { t } from '#base/l10n';
import { truncate } from '#base/text';
import type { Conflict, FileState, RedoScope } from '#protocol/checkpoint';
import type { SessionId } from '#protocol/ids';
import type { StoredRestore } from '#store/restores';
import { carryOut } from './carry-out';
import { changedElsewhere } from './causes';
import { composeEffects, groupsOf } from './chain';
import { resolve } from './choices';
import { choosable, conflictsIn } from './conflicts';
import { type Draft, draftUndo } from './draft';
import { HeldContents } from './held';
import type { RestorePlan } from './plan';
import { draftRedo, partToRedo, planRedo } from './plan-redo';
import { planUndo } from './plan-undo';
import {
  nothing,
  type PreviewStep,
  type RedoRequest,
  type RestorePreview,
  type RestoreReport,
  refused,
  type UndoRequest,
} from './requests';
import { cutOffWords, numbersOf, type Selected, selectTurns, whyNothing } from './selection';
import { standingOperations } from './standing';
import type { World } from './world';

/** Looks at what an undo would do, and does nothing. */
export async function previewUndo(world: World, request: UndoRequest): Promise<RestorePreview> {
  const selected = selectTurns(world, request);
  if ('why' in selected || request.scope === 'session') {
    const turns = 'why' in selected ? [] : numbersOf(selected.turns);
    return { turns, files: [], steps: [], conflicts: [], notUndoable: [], cutOff: [] };
  }
  const { turns } = selected;
  const { paths, reviewedSince } = request;
  const draft = await draftUndo(world, request.sessionId, { turns, paths, reviewedSince });
  const { judged, skipped } = resolve(draft, request);
  const plan = await planUndo(world, { ...draft, judged }, skipped);
  return {
    turns: plan.turns,
    files: plan.files.map(({ path }) => path),
    steps: plan.files.map(previewStep),
    conflicts: choosable(draft.judged, groupsOf(draft.operations)),
    notUndoable: draft.notUndoable,
    cutOff: draft.cutOff,
  };
}

function previewStep({ path, from, to }: RestorePlan['files'][number]): PreviewStep {
  if (to.kind === 'absent') return { path, becomes: 'deleted' };
  return { path, becomes: from.kind === 'absent' ? 'made' : 'changed' };
}

/** What an undo would bring a file back to, and what Belay had left there; undefined when it has no part in it. */
export function sidesOf(
  world: World,
  request: UndoRequest,
  path: string,
): { readonly before: FileState; readonly after: FileState | undefined } | undefined {
  const selected = selectTurns(world, request);
  if ('why' in selected) return undefined;
  return composeEffects(standingOperations(world, selected.turns)).get(path);
}

const NO_FILES: Draft = {
  ...{
    turns: [],
    operations: [],
    judged: [],
    folders: [],
    goneFolders: new Map(),
    notUndoable: [],
    cutOff: [],
  },
  ...{ standing: [], unasked: [], partly: new Map() },
};

/** Takes turns back: all that is asked, or nothing and why. */
export async function undo(given: World, request: UndoRequest): Promise<RestoreReport> {
  const world = { ...given, held: new HeldContents() };
  const selected = selectTurns(world, request);
  if ('why' in selected) return nothing(selected.why);
  const { scope, sessionId, paths, reviewedSince } = request;
  const { turns } = selected;
  const draft =
    scope === 'session' ? NO_FILES : await draftUndo(world, sessionId, { turns, paths, reviewedSince });
  const { conflicts, skipped, judged, made } = resolve(draft, request);
  if (conflicts.length > 0) return refused(numbersOf(selected.turns), conflicts);
  const plan = await planUndo(world, { ...draft, judged }, skipped);
  if (scope === 'files' && isNothing(plan)) {
    return nothing(whyNothing(world, draft, { request, skipped }));
  }
  const notes = [...[...skipped].map((path) => t('Left as it is: {0}', path)), ...commandNotes(draft)];
  const whole = scope === 'files' ? plan : { ...plan, ...withRewind(world, sessionId, selected) };
  return carryOut(world, whole, { sessionId, scope, kind: 'undo', redoes: undefined, notes, made });
}

/** For people: what stays although the turns are taken back. */
function commandNotes({ notUndoable: paths, cutOff }: Draft): string[] {
  return [
    ...(paths.length === 0
      ? []
      : [t('Changed while a command ran, and left as it is: {0}', truncate(paths.join(', '), 500))]),
    ...(cutOff.length === 0 ? [] : [cutOffWords(cutOff)]),
  ];
}

function isNothing({ edits, folderTurns = [], ...plan }: RestorePlan): boolean {
  const all = [plan.files, plan.operations, plan.makeFolders, plan.removeFolders, folderTurns];
  return all.every(({ length }) => length === 0) && edits === undefined;
}

/** Where the conversation goes back to, and which turns that takes from it. */
function withRewind(
  world: World,
  sessionId: SessionId,
  { first, turns }: Selected,
): Pick<RestorePlan, 'turns' | 'rewind'> {
  const rewind = {
    toSequence: first.startSequence,
    todosThen: first.todos,
    todosNow: world.store.todos.list(sessionId),
  };
  return { turns: numbersOf(turns.filter(({ rewoundBy }) => rewoundBy === undefined)), rewind };
}

/** Takes the latest undo back, as long as nothing new has happened to its files (or in the conversation, if it was rewound). */
export async function redo(given: World, request: RedoRequest): Promise<RestoreReport> {
  const world = { ...given, held: new HeldContents() };
  const { store } = world;
  const found = request.operation
    ? store.restores.get<RestorePlan>(request.operation)
    : store.restores.redoable<RestorePlan>(request.sessionId, request.scope);
  const undone = found && partToRedo(found, request.scope);
  if (
    !undone ||
    undone.sessionId !== request.sessionId ||
    undone.kind !== 'undo' ||
    undone.state !== 'done'
  ) {
    return nothing(request.scope ? t('There are no files to redo.') : t('There is nothing to redo.'));
  }
  if (store.restores.isRedone(undone.id)) return nothing(t('That undo was taken back already.'));
  if (isConversationNewer(world, undone)) return nothing(goneOn(canRedo(world, request.sessionId, 'files')));
  const judged = await draftRedo(world, undone);
  const conflicts = [...conflictsIn(judged), ...newerChanges(world, undone)];
  if (conflicts.length > 0) return refused(undone.plan.turns, onePerPath(conflicts));
  const plan = await planRedo(world, undone, judged);
  const { id, sessionId, scope } = undone;
  return carryOut(world, plan, { sessionId, scope, kind: 'redo', redoes: id });
}

/** Whether `redo` has something to do, as far as can be told without looking at files. */
export function canRedo(world: World, sessionId: SessionId, scope?: RedoScope): boolean {
  const found = world.store.restores.redoable<RestorePlan>(sessionId, scope);
  const undone = found && partToRedo(found, scope);
  return (
    undone !== undefined && !isConversationNewer(world, undone) && newerChanges(world, undone).length === 0
  );
}

/** For people. */
function goneOn(withoutIt: boolean): string {
  return withoutIt
    ? t(
        'The conversation has gone on since the undo, so it can’t be redone. /redo files brings back files alone.',
      )
    : t('The conversation has gone on since the undo, so it can’t be redone.');
}

function isConversationNewer({ store }: World, undone: StoredRestore<RestorePlan>): boolean {
  return undone.plan.rewind !== undefined && store.messages.hasAfter(undone.sessionId, undone.lastSequence);
}

/** "Something new happened to those files" also when they hold the same content again by now. */
function newerChanges({ store, folder }: World, undone: StoredRestore<RestorePlan>): Conflict[] {
  return undone.plan.files.flatMap(({ path }) => {
    const newer = store.operations.onPath(folder, path, undone.lastOperation, undone.sessionId).at(-1);
    if (!newer) return [];
    const isOwn = newer.sessionId === undone.sessionId;
    const own = () => t('Belay changed it again in turn {0} since the undo', newer.turn);
    return [{ path, why: isOwn ? own() : changedElsewhere(newer) }];
  });
}

function onePerPath(conflicts: readonly Conflict[]): Conflict[] {
  return [...new Map(conflicts.map((conflict) => [conflict.path, conflict])).values()];
}
