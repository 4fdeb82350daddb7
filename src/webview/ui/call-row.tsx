import type { SessionId } from '#protocol/ids';
import type { AnsweredApproval } from '#protocol/transcript';
import type { CallItem, CallState } from '#protocol/turn';
import { answeredElsewhere, answerMarks } from '#webview/text/approval-words';
import { type RowText, rowText, spokenState, stateOf } from '#webview/text/rows';
import { visible } from '#webview/text/visible';
import { CallBody } from './call-body';
import { Counts } from './counts';
import { Elapsed } from './elapsed';
import { FoldRow } from './fold-row';
import { Icon } from './icon';
import { memo } from './memo';
import { Path } from './path';

interface CallProps {
  readonly call: CallItem;
  readonly sessionId: SessionId;
  readonly turn: number;
  readonly turnRuns: boolean;
  readonly approval: AnsweredApproval | undefined;
}

/** A tool call: one line that unfolds to what it showed and why it was allowed. */
export const Call = memo(({ call, sessionId, turn, turnRuns, approval }: CallProps) => {
  const state = stateOf(call, turnRuns);
  const elsewhere = turnRuns ? answeredElsewhere(approval) : undefined;
  const facts = {
    'data-testid': 'call-row',
    'data-call-name': call.name,
    'data-call-id': call.callId,
    'data-state': state,
    title: visible(call.summary),
  };
  const below = (
    <>
      {state === 'running' && call.lastLine !== '' && <div class="last-line">{visible(call.lastLine)}</div>}
      {elsewhere && <div class="last-line plain">{elsewhere}</div>}
      {answerMarks(approval).map((mark) => (
        <div key={mark} class="last-line plain">
          {mark}
        </div>
      ))}
    </>
  );
  return (
    <FoldRow
      foldKey={`${sessionId}/${call.callId}`}
      head={<Head call={call} state={state} text={rowText(call, state, approval)} />}
      facts={facts}
      below={below}
    >
      <CallBody call={call} sessionId={sessionId} turn={turn} />
    </FoldRow>
  );
});

interface HeadProps {
  readonly call: CallItem;
  readonly state: CallState;
  readonly text: RowText;
}

function Head({ call, state, text }: HeadProps) {
  const running = state === 'running';
  return (
    <>
      <StateIcon state={state} />
      <span class="sr-only">{spokenState(state)}</span>
      <span class="verb">{text.verb}</span>
      <Subject text={text} />
      {text.counts && <Counts {...text.counts} />}
      {text.detail !== '' && <span class="detail">{text.detail}</span>}
      <span class={text.costIsWords || running ? 'cost words' : 'cost'}>
        {running && call.startedAt !== undefined ? <Elapsed since={call.startedAt} /> : text.cost}
      </span>
    </>
  );
}

const STATES: Readonly<Record<CallState, string>> = {
  gating: 'loading',
  running: 'loading',
  waiting: 'circle-filled',
  success: 'check',
  error: 'error',
  denied: 'circle-slash',
  cancelled: 'stop-circle',
  unknown: 'question',
};

function StateIcon({ state }: { readonly state: CallState }) {
  const tone = state === 'error' ? 'error' : state === 'waiting' ? 'accent' : undefined;
  return <Icon name={STATES[state]} tone={tone} spin={state === 'gating' || state === 'running'} />;
}

function Subject({ text }: { readonly text: RowText }) {
  if (text.subjectKind === 'path') return <Path path={text.subject} />;
  return <span class={text.subjectKind === 'command' ? 'subject mono' : 'subject'}>{text.subject}</span>;
}
