import type { TurnProblem } from '#protocol/event';
import type { SessionId } from '#protocol/ids';
import type { TranscriptTurn } from '#protocol/turn';
import type { ToHost } from '#protocol/wire';
import { assertNever } from '#webview/text/never';
import { counted, t } from '#webview/text/words';
import { Button } from './buttons';
import { NoticeBox } from './notice';
import { usePort } from './port';

interface EndProps {
  readonly turn: TranscriptTurn;
  readonly sessionId: SessionId;
  /** Only the last turn can be gone on with; older ones say in one line how they ended. */
  readonly last: boolean;
  /** The person hasn't answered a recovered crash yet. */
  readonly interrupted: boolean;
}

/** How a turn ended, when it wasn't well: what happened, what was kept, what to do. */
export function TurnEnd({ turn, sessionId, last, interrupted }: EndProps) {
  if (turn.checkpoint?.state === 'undone')
    return <div class="say turn-line">{t('Undone: {0} put back', fileWords(turn))}</div>;
  if (turn.checkpoint?.state === 'pruned' && turn.status === 'done')
    return <div class="say turn-line">{t('Its earlier contents were removed to save space')}</div>;
  switch (turn.status) {
    case 'running':
    case 'done':
      return null;
    case 'denied':
      // A hook ended it, and its words say why.
      if (turn.problem && last) return <Failed turn={turn} sessionId={sessionId} />;
      return <div class="say turn-line">{turn.problem?.title ?? t('The turn ended with your Deny.')}</div>;
    case 'cancelled':
      return last ? (
        <Cancelled turn={turn} sessionId={sessionId} />
      ) : (
        <div class="say turn-line">{t('You stopped this turn')}</div>
      );
    case 'interrupted':
      return last && interrupted ? (
        <Interrupted turn={turn} sessionId={sessionId} />
      ) : (
        <div class="say turn-line">{t('The window closed during this turn')}</div>
      );
    case 'failed':
    case 'limit':
      return last ? (
        <Failed turn={turn} sessionId={sessionId} />
      ) : (
        <div class="say turn-line">{turn.problem?.title ?? t('The turn stopped')}</div>
      );
    default:
      return assertNever(turn.status);
  }
}

interface PartProps {
  readonly turn: TranscriptTurn;
  readonly sessionId: SessionId;
}

function Cancelled({ turn, sessionId }: PartProps) {
  const act = useActions(sessionId);
  return (
    <NoticeBox icon="stop-circle" role="status" title={t('You stopped this turn')} detail={keptWords(turn)}>
      <Button onPress={act.action('continue')}>{t('Continue')}</Button>
      {hasChanges(turn) && <Button onPress={act.undo(turn)}>{t('Undo Turn')}</Button>}
    </NoticeBox>
  );
}

function Interrupted({ turn, sessionId }: PartProps) {
  const act = useActions(sessionId);
  const unknown = turn.items.some((item) => item.kind === 'call' && item.state === 'unknown');
  const kept = keptWords(turn);
  const partly = t('The command may have run in part; it was not started again.');
  return (
    <NoticeBox
      icon="history"
      role="status"
      title={t('The window closed during this turn')}
      detail={unknown ? t('{0} {1}', kept, partly) : kept}
    >
      {hasChanges(turn) && (
        <Button onPress={act.send({ type: 'review', sessionId })}>{t('Review Changes')}</Button>
      )}
      {hasChanges(turn) && <Button onPress={act.undo(turn)}>{t('Undo')}</Button>}
      <Button onPress={act.action('continue')}>{t('Continue')}</Button>
    </NoticeBox>
  );
}

function Failed({ turn, sessionId }: PartProps) {
  const act = useActions(sessionId);
  const problem = turn.problem;
  const ways = problem ? WAYS[problem.kind] : WAYS.bug;
  return (
    <NoticeBox
      icon="error"
      tone="error"
      role="alert"
      title={problem?.title ?? t('The turn stopped')}
      detail={problem?.detail ?? keptWords(turn)}
    >
      {ways.map((way) => (
        <Button key={way} onPress={act.action(way)}>
          {actionWords(way)}
        </Button>
      ))}
    </NoticeBox>
  );
}

type Way = 'enter-key' | 'pick-model' | 'try-again' | 'continue' | 'show-log';

const WAYS: Readonly<Record<TurnProblem['kind'], readonly Way[]>> = {
  auth: ['enter-key', 'pick-model', 'try-again'],
  quota: ['pick-model', 'try-again'],
  network: ['try-again', 'pick-model'],
  provider: ['try-again', 'pick-model'],
  empty: ['try-again', 'pick-model'],
  loop: ['continue'],
  limit: ['continue'],
  hook: ['continue'],
  store: ['try-again', 'show-log'],
  bug: ['try-again', 'show-log'],
};

function actionWords(way: Way): string {
  switch (way) {
    case 'enter-key':
      return t('Enter Key…');
    case 'pick-model':
      return t('Select Model…');
    case 'try-again':
      return t('Try Again');
    case 'continue':
      return t('Continue');
    case 'show-log':
      return t('Show Log');
    default:
      return assertNever(way);
  }
}

function useActions(sessionId: SessionId) {
  const { post } = usePort();
  return {
    send: (message: ToHost) => () => post(message),
    action: (action: Way) => () => post({ type: 'action', sessionId, action }),
    undo: (turn: TranscriptTurn) => () =>
      post({ type: 'undo', sessionId, turn: turn.turn, scope: 'files', onConflict: 'stop' }),
  };
}

function hasChanges(turn: TranscriptTurn): boolean {
  return (turn.checkpoint?.files.length ?? 0) > 0 || turn.checkpoint?.folders !== undefined;
}

function keptWords(turn: TranscriptTurn): string {
  const files = turn.checkpoint?.files.length ?? 0;
  const folders = turn.checkpoint?.folders?.length ?? 0;
  if (folders > 0)
    return counted(folders, '{0} new or removed folder is kept.', '{0} new or removed folders are kept.');
  return files === 0
    ? t('No file was changed.')
    : counted(files, '{0} changed file is kept.', '{0} changed files are kept.');
}

function fileWords(turn: TranscriptTurn): string {
  const folders = turn.checkpoint?.folders?.length ?? 0;
  if (folders > 0) return counted(folders, '{0} folder', '{0} folders');
  return counted(turn.checkpoint?.files.length ?? 0, '{0} file', '{0} files');
}
