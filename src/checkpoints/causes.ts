import { t } from '#base/l10n';
import { revealInvisible, truncate } from '#base/text';
import type { FileState } from '#protocol/checkpoint';
import type { SessionId } from '#protocol/ids';
import type { StoredCommandChange } from '#store/command-changes';
import type { OperationElsewhere } from '#store/file-operations';
import type { RestoreElsewhere } from '#store/restores';
import { ABSENT, sameContent } from './chain';
import type { World } from './world';

/** A path holds something else than Belay left there: what, and between which operations it must have come. */
export interface Surprise {
  readonly path: string;
  readonly expected: FileState;
  readonly found: FileState;
  /** The place of the operation that left `expected`. */
  readonly after: number;
  /** The operation that met `found`; absent when it is there now. */
  readonly before?: number;
}

interface Culprit {
  /** Place in time: an operation's; a command, an undo stands behind the operation it followed. */
  readonly place: number;
  readonly words: string;
  /** What it left; undefined when that wasn't read. */
  readonly left: FileState | undefined;
  /** The turn, when it was one of the same session. */
  readonly turn?: number;
}

const COMMAND_LENGTH = 200;

/** Who changed the file, as far as it is known; the person's own hand only where nothing else is known to have. */
export function causeOf(world: World, sessionId: SessionId, surprise: Surprise): string {
  const culprits = culpritsOf(world, sessionId, surprise);
  const culprit = culprits.at(-1);
  if (!culprit) return byHand(surprise);
  if (culprit.left && !sameContent(culprit.left, surprise.found))
    return t('{0}, and again since then', culprit.words);
  if (culprit.turn === undefined) return culprit.words;
  return changedAgain(culprits.flatMap(({ turn }) => turn ?? []));
}

/** For people: the later turns of the same session that wrote to the file. */
export function changedAgain(turns: readonly number[]): string {
  const named = [...new Set(turns)];
  return named.length === 1
    ? t('changed again by Belay in turn {0}', named[0] ?? '')
    : t('changed again by Belay in turns {0}', named.join(', '));
}

/** For people: what another session wrote to the file. */
export function changedElsewhere({ sessionTitle, turn }: OperationElsewhere): string {
  return t('changed by another session, “{0}”, in its turn {1}', sessionTitle, turn);
}

function culpritsOf({ store, folder }: World, sessionId: SessionId, surprise: Surprise): Culprit[] {
  const before = surprise.before ?? Number.MAX_SAFE_INTEGER;
  const commands = store.commandChanges
    .onPath(folder, surprise.path, { from: surprise.after, before })
    .map(commandCulprit);
  const operations = store.operations
    .onPath(folder, surprise.path, surprise.after, sessionId)
    .filter(({ place }) => place < before)
    .map((operation) => operationCulprit(operation, surprise.path, sessionId));
  const restores = store.restores
    .onPath(folder, surprise.path, { from: surprise.after, before, asking: sessionId })
    .map(restoreCulprit);
  return [...commands, ...operations, ...restores].sort((a, b) => a.place - b.place);
}

/** An undo in a fork or in the session it came from: both know the same turns, and each has its own marks. */
function restoreCulprit({ kind, title, left, lastOperation }: RestoreElsewhere): Culprit {
  const words =
    kind === 'undo'
      ? t('taken back in another session, “{0}”', title)
      : t('brought back in another session, “{0}”', title);
  return { place: lastOperation + 0.75, words, left };
}

function commandCulprit(change: StoredCommandChange): Culprit {
  const place = change.afterOperation + 0.5;
  if (change.operation === 'delete')
    return { place, words: commandWords(change.command, ABSENT), left: ABSENT };
  // The size isn't kept and isn't compared.
  const left = change.sha256 && ({ kind: 'file', sha256: change.sha256, bytes: 0, mode: 0 } as const);
  return { place, words: commandWords(change.command, undefined), left };
}

function operationCulprit(operation: OperationElsewhere, path: string, sessionId: SessionId): Culprit {
  const left = operation.path === path ? operation.after : ABSENT;
  if (operation.command !== undefined) {
    const command = commandWords(operation.command, operation.after);
    return { place: operation.id, words: command, left };
  }
  const words =
    operation.sessionId === sessionId ? changedAgain([operation.turn]) : changedElsewhere(operation);
  const own = operation.sessionId === sessionId ? { turn: operation.turn } : {};
  return { place: operation.place, words, left, ...own };
}

function commandWords(line: string, left: FileState | undefined): string {
  const command = revealInvisible(truncate(line, COMMAND_LENGTH));
  return left?.kind === 'absent'
    ? t('deleted by the command `{0}`', command)
    : t('changed by the command `{0}`', command);
}

function byHand({ expected, found, before }: Surprise): string {
  const between = before !== undefined;
  if (found.kind === 'folder')
    return between
      ? t("its permissions were changed by hand between Belay's changes")
      : t("its permissions were changed by hand after Belay's change");
  if (found.kind === 'link' && expected.kind === 'link')
    return between
      ? t("pointed elsewhere by hand between Belay's changes")
      : t("pointed elsewhere by hand after Belay's change");
  if (found.kind === 'absent')
    return between ? t("deleted by hand between Belay's changes") : t("deleted by hand after Belay's change");
  if (expected.kind === 'absent')
    return between ? t("made by hand between Belay's changes") : t("made by hand after Belay's change");
  if (found.kind !== expected.kind)
    return between
      ? t("replaced by hand between Belay's changes")
      : t("replaced by hand after Belay's change");
  return between ? t("edited by hand between Belay's changes") : t("edited by hand after Belay's change");
}
