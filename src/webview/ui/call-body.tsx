import type { SessionId } from '#protocol/ids';
import type { Display } from '#protocol/tool-result';
import type { CallItem } from '#protocol/turn';
import { size } from '#webview/text/durations';
import { assertNever } from '#webview/text/never';
import { traceSummary } from '#webview/text/trace';
import { t } from '#webview/text/words';
import { Diff } from './diff';
import { usePort } from './port';
import { ScrollBox } from './scroll-box';
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
      {!display && summary === undefined && <div class="say">{t('Nothing to show yet')}</div>}
    </div>
  );
}

/** What a tool shows to people, by its kind. */
export function DisplayView({ display }: { readonly display: Display }) {
  switch (display.kind) {
    case 'diff':
      return <DiffDisplay display={display} />;
    case 'command':
      return (
        <>
          <Fields display={display} />
          <Output label={t('Output of {0}', display.command)} body={display.body} empty={t('No output')} />
        </>
      );
    case 'search':
      return <Output label={t('Hits for {0}', display.title)} body={display.body} empty={t('No hits')} />;
    case 'text':
    case 'artifact':
    case 'json':
      return (
        <>
          <Fields display={display} />
          <Output label={display.title} body={display.body} empty={t('Empty')} />
        </>
      );
    default:
      return assertNever(display);
  }
}

function DiffDisplay({ display }: { readonly display: Extract<Display, { kind: 'diff' }> }) {
  return (
    <>
      {display.operation === 'rename' && display.from !== undefined && (
        <div class="say">{t('{0} is now {1}', display.from, display.path)}</div>
      )}
      {display.hunks.length > 0 ? (
        <Diff path={display.path} hunks={display.hunks} />
      ) : (
        display.operation !== 'rename' && <div class="say">{t('No lines to show')}</div>
      )}
      <Fields display={display} />
    </>
  );
}

/** Labels and values in one quiet line. */
function Fields({ display }: { readonly display: Display }) {
  if (!display.fields || display.fields.length === 0) return null;
  return (
    <div class="say">
      {display.fields.map((field, index) => (
        <span key={field.key}>
          {index > 0 && ' · '}
          {field.key}: {field.value}
        </span>
      ))}
    </div>
  );
}

function Output({
  label,
  body,
  empty,
}: {
  readonly label: string;
  readonly body: string;
  readonly empty: string;
}) {
  if (body.trim() === '') return <div class="say">{empty}</div>;
  return (
    <div class="block">
      <ScrollBox label={label}>{body.replace(/^(?:[ \t]*\n)+|\n$/g, '')}</ScrollBox>
    </div>
  );
}
