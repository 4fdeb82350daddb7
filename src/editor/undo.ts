import type { AppSession } from '#app';
import { counted, t } from '#base/l10n';
import type {
  Conflict,
  ConflictChoices,
  OnConflict,
  RestoreOutcome,
  RestoreScope,
} from '#protocol/checkpoint';
import type { UndoParts } from '#protocol/wire';
import { agreed } from './question';

/** What a person wants taken back: a turn with all after it, or a part of that. */
export interface UndoRequest extends UndoParts {
  readonly turn: number;
  readonly scope: RestoreScope;
  readonly onConflict?: OnConflict | undefined;
  readonly choices?: ConflictChoices | undefined;
}

/** Shows what an undo came to, where the person is looking: the panel's card and one notification. */
export type ShowOutcome = (
  session: AppSession,
  outcome: RestoreOutcome,
  request: UndoRequest | undefined,
) => Promise<void>;

/**
 * Takes turns back, after saying what can't be taken back: what commands changed on disk. Overwriting hand edits is asked
 * again. The dialog is modal since the person has just asked for this.
 */
export async function undoTurns(session: AppSession, request: UndoRequest, show: ShowOutcome): Promise<void> {
  if (session.running)
    return show(
      session,
      { status: 'nothing', why: t('A turn is running in this session. Stop it first.') },
      undefined,
    );
  if (request.scope !== 'session' && !(await agreesTo(session, request))) return;
  const outcome = await session.undo(request.turn, request.scope, optionsOf(request));
  await show(session, outcome, request);
}

type Options = NonNullable<Parameters<AppSession['undo']>[2]>;

/** The request in the session's own terms. */
export function optionsOf(request: UndoRequest): Options {
  const { onConflict = 'stop', choices } = request;
  return { onConflict, ...(choices ? { choices } : {}), ...partsOf(request) };
}

/** What of the turns is meant, without what isn't said. */
export function partsOf({ only, last, paths, review }: UndoParts) {
  return {
    ...(only ? { only } : {}),
    ...(last === undefined ? {} : { last }),
    ...(paths ? { paths } : {}),
    ...(review ? { review } : {}),
  };
}

async function agreesTo(session: AppSession, request: UndoRequest): Promise<boolean> {
  const preview = await session.preview(request.turn, request.scope, optionsOf(request));
  const overwritten = preview.conflicts.filter((conflict) => isOverwritten(conflict, request));
  if (overwritten.length > 0) {
    const detail = overwritten.map(({ path, why }) => `${path}: ${why}`).join('\n');
    return agreed({
      message: t('Overwrite {0}?', counted(overwritten.length, '{0} file', '{0} files')),
      detail: t('These changes are replaced. Redo brings them back.\n{0}', detail),
      button: t('Overwrite'),
    });
  }
  const { conflicts, notUndoable, cutOff, files, steps } = preview;
  // Without a file to undo the outcome itself says why.
  if (conflicts.length > 0 || files.length === 0) return true;
  const isRange = request.last !== undefined && !request.paths;
  if (notUndoable.length + cutOff.length === 0 && !isRange) return true;
  const listed = isRange ? `${steps.slice(0, LISTED).map(stepWords).join('\n')}\n\n` : '';
  const left = [
    ...(notUndoable.length === 0
      ? []
      : [t('Changed while a command ran, and left as it is:\n{0}', notUndoable.slice(0, 20).join('\n'))]),
    ...(cutOff.length === 0
      ? []
      : [t('Belay was stopped in these commands; what they changed isn’t known:\n{0}', cutOff.join('\n'))]),
  ];
  const detail = `${listed}${left.join('\n\n')}`.trimEnd();
  return agreed({
    message: t('Undo {0}?', counted(files.length, '{0} file', '{0} files')),
    detail,
    button: t('Undo'),
  });
}

type RestorePreview = Awaited<ReturnType<AppSession['preview']>>;

/** Most files that a dialog names. */
const LISTED = 30;

function stepWords({ path, becomes }: RestorePreview['steps'][number]): string {
  switch (becomes) {
    case 'made':
      return t('{0} (comes back)', path);
    case 'deleted':
      return t('{0} (is deleted)', path);
    case 'changed':
      return path;
  }
}

/** Its own choice counts, else one for a name tied to it, else the word for all. */
function isOverwritten({ path, tied = [], fixed }: Conflict, { choices, onConflict }: UndoRequest): boolean {
  const chosen = [path, ...tied].map((name) => choices?.[name]).filter((choice) => choice !== undefined);
  if (fixed || chosen.includes('skip')) return false;
  return (chosen[0] ?? onConflict) === 'overwrite';
}

/** One sentence for a notification or a card's head; without a request, of a redo. */
export function outcomeTitle(outcome: RestoreOutcome, request?: UndoRequest): string {
  switch (outcome.status) {
    case 'done':
      return doneTitle(outcome, request);
    case 'conflict':
      return conflictTitle(counted(outcome.conflicts.length, '{0} file', '{0} files'), request);
    case 'nothing':
      return outcome.why;
  }
}

function doneTitle(
  { files, folders }: RestoreOutcome & { readonly status: 'done' },
  request: UndoRequest | undefined,
): string {
  if (files.length > 0) return t('{0} restored', counted(files.length, '{0} file', '{0} files'));
  if (folders !== undefined) return t('{0} restored', counted(folders, '{0} folder', '{0} folders'));
  if (!request) return t('What was undone is back');
  return request.scope === 'files'
    ? t('The files are as they were: nothing had to change')
    : t('The conversation was taken back');
}

function conflictTitle(files: string, request: UndoRequest | undefined): string {
  return request
    ? t('Nothing was undone: {0} changed since', files)
    : t('Nothing was redone: {0} changed since', files);
}
