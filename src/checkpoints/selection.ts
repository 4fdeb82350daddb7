import { t } from '#base/l10n';
import { truncate } from '#base/text';
import type { StoredCheckpoint } from '#store/checkpoints';
import type { Draft } from './draft';
import type { UndoRequest } from './requests';
import type { World } from './world';

export interface Selected {
  readonly first: StoredCheckpoint;
  /** The first and, unless an end is given, all that came after it: also turns that a rewind took out since. */
  readonly turns: readonly StoredCheckpoint[];
}

/** The turns that go together; or why there are none. */
export function selectTurns(world: World, request: UndoRequest): Selected | { readonly why: string } {
  const selected = turnsFor(world, request);
  if ('why' in selected || request.scope === 'session') return selected;
  const pruned = selected.turns.findLast(({ prunedAt }) => prunedAt !== undefined);
  return pruned ? { why: prunedWords(pruned.turn) } : selected;
}

function prunedWords(turn: number): string {
  return t(
    'The earlier contents of turn {0} were removed to save space, so its files can’t be taken back. Those of later turns can.',
    turn,
  );
}

function turnsFor({ store }: World, request: UndoRequest): Selected | { readonly why: string } {
  const { sessionId, turn, scope, only } = request;
  const last = only ? turn : request.last;
  if ((last ?? request.paths ?? request.reviewedSince) !== undefined && scope !== 'files') {
    return { why: t('A turn in the middle of a conversation can only be undone for its files.') };
  }
  const first = store.checkpoints.ofTurn(sessionId, turn);
  if (!first) return { why: t('This session has no turn {0}.', turn) };
  if (scope !== 'files' && first.rewoundBy !== undefined) {
    return { why: t('Turn {0} is no longer part of the conversation.', turn) };
  }
  if (last === turn) return { first, turns: [first] };
  const end = last === undefined ? undefined : store.checkpoints.ofTurn(sessionId, last);
  if (last !== undefined && (!end || last < turn || end.startSequence < first.startSequence)) {
    return { why: t('This session has no turns {0} to {1}.', turn, last) };
  }
  const to = end?.startSequence ?? Number.MAX_SAFE_INTEGER;
  const turns = store.checkpoints.between(sessionId, first.startSequence, to);
  const at = ({ id }: StoredCheckpoint) => turns.findIndex((each) => each.id === id);
  return { first, turns: turns.slice(at(first), end && at(end) + 1) };
}

/** Turn numbers, each once. */
export function numbersOf(turns: readonly StoredCheckpoint[]): number[] {
  return [...new Set(turns.map(({ turn }) => turn))];
}

/** For people: commands whose changes nobody recorded. */
export function cutOffWords(commands: readonly string[]): string {
  const named = truncate(commands.join('; '), 500);
  return t('Belay was stopped while a command ran; what it changed isn’t known and stays: {0}', named);
}

/** For people: why there is nothing to do. */
export function whyNothing(
  world: World,
  draft: Draft,
  { request, skipped }: { readonly request: UndoRequest; readonly skipped: ReadonlySet<string> },
): string {
  if (skipped.size > 0) return t('Every file was left as it is, so nothing was undone.');
  if (isUndoneAlready(world, draft))
    return t('The file changes of turn {0} are undone already.', request.turn);
  if (draft.notUndoable.length > 0)
    return t('What changed in turn {0} can’t be undone: the turn says why for each file.', request.turn);
  if (draft.cutOff.length > 0) return cutOffWords(draft.cutOff);
  return t('No file changes of turn {0} are left to undo.', request.turn);
}

function isUndoneAlready({ store }: World, { turns, operations }: Draft): boolean {
  const isUndone = ({ id }: StoredCheckpoint) =>
    store.operations.list(id).some(({ undoneBy }) => undoneBy !== undefined);
  return operations.length === 0 && turns.some(isUndone);
}
