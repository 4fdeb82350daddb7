import type { SessionId } from '#protocol/ids';
import type { CallItem } from '#protocol/turn';
import { size } from '#webview/text/durations';
import { traceSummary } from '#webview/text/trace';
import { t } from '#webview/text/words';
import { DisplayView } from './display-view';
import { usePort } from './port';
import { Trace } from './trace';

interface BodyProps {
  readonly call: CallItem;
  readonly sessionId: SessionId;
  readonly turn: number;
}

/** What a call showed, by the kind of its display, and under it the gates that it passed. */
export function CallBody({ call, sessionId, turn }: BodyProps) {
  const { post } = usePort();
  const { display, artifact } = call;
  const summary = traceSummary(call);
  return (
    <div class="call-body">
      {display && <DisplayView display={display} />}
      {display?.kind === 'diff' && call.state === 'success' && (
        <button
          type="button"
          class="text-link"
          onClick={() => post({ type: 'open-diff', sessionId, turn, path: display.path, against: 'after' })}
        >
          {t('Open Changes')}
        </button>
      )}
      {artifact && (
        <button
          type="button"
          class="text-link"
          onClick={() => post({ type: 'open-artifact', sessionId, artifactId: artifact.id })}
        >
          {t('Open Whole Output ({0})', size(artifact.bytes))}
        </button>
      )}
      {summary !== undefined && (
        <Trace foldKey={`${sessionId}/${call.callId}/why`} summary={summary} trace={call.trace} />
      )}
      {!display && !artifact && summary === undefined && <div class="say">{t('Nothing to show yet')}</div>}
    </div>
  );
}
