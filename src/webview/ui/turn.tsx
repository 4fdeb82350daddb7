import type { SessionId } from '#protocol/ids';
import type { AnsweredApproval } from '#protocol/transcript';
import type { TranscriptTurn, TurnItem } from '#protocol/turn';
import { assertNever } from '#webview/text/never';
import { t } from '#webview/text/words';
import { ApprovalCard } from './approval-card';
import { Call } from './call-row';
import { CommandChanges } from './command-changes';
import { CompactionLine } from './compaction-line';
import { Elapsed } from './elapsed';
import { HookNotice } from './hook-notice';
import { Icon } from './icon';
import { memo } from './memo';
import { Prose } from './prose';
import { Reasoning } from './reasoning';
import { RetryNotice } from './retry-notice';
import { RulesLine } from './rules-line';
import { TurnEnd } from './turn-end';
import { UserMessage } from './user-message';

interface TurnProps {
  readonly turn: TranscriptTurn;
  readonly sessionId: SessionId;
  readonly approvals: readonly AnsweredApproval[];
  readonly last: boolean;
  readonly interrupted: boolean;
  readonly elsewhere: boolean;
  /** Something runs in or behind it. */
  readonly busy: boolean;
}

/** One message and all that came of it. Drawn again only when something in it changed. */
export const Turn = memo(({ turn, sessionId, approvals, last, interrupted, elsewhere, busy }: TurnProps) => {
  const runs = turn.status === 'running';
  const { checkpoint } = turn;
  return (
    <article
      class="turn"
      data-testid="turn"
      data-turn={turn.turn}
      data-status={turn.status}
      aria-label={t('Turn {0}', turn.turn)}
    >
      <UserMessage
        text={turn.prompt}
        mentions={turn.mentions}
        queued={false}
        turn={turn}
        sessionId={sessionId}
        turnRuns={runs}
      />
      {turn.items.map((item) => (
        <Item
          key={item.key}
          item={item}
          sessionId={sessionId}
          turn={turn.turn}
          turnRuns={runs}
          busy={busy}
          approval={approvalOf(item, approvals)}
        />
      ))}
      <Questions approvals={approvals} elsewhere={elsewhere} />
      {runs && isQuiet(turn.items) && <Working since={turn.at} />}
      {checkpoint && (
        <CommandChanges
          files={checkpoint.files}
          folders={checkpoint.folders ?? []}
          changes={checkpoint.commandChanges}
          omitted={checkpoint.omittedCommandChanges ?? 0}
          cutOff={checkpoint.cutOffCommands ?? []}
          foldKey={`${sessionId}/${turn.turnId}/commands`}
        />
      )}
      <TurnEnd turn={turn} sessionId={sessionId} last={last} interrupted={interrupted} />
    </article>
  );
});

/** The oldest open question; the others wait behind it. */
function Questions({ approvals, elsewhere }: Pick<TurnProps, 'approvals' | 'elsewhere'>) {
  const open = approvals.filter((approval) => !approval.by);
  const first = open[0]?.request;
  return first ? (
    <ApprovalCard key={first.id} request={first} waiting={open.length} elsewhere={elsewhere} />
  ) : null;
}

interface ItemProps {
  readonly item: TurnItem;
  readonly sessionId: SessionId;
  readonly turn: number;
  readonly turnRuns: boolean;
  readonly busy: boolean;
  readonly approval: AnsweredApproval | undefined;
}

const Item = memo(({ item, sessionId, turn, turnRuns, busy, approval }: ItemProps) => {
  switch (item.kind) {
    case 'text':
      return (
        <>
          {item.reasoning !== '' && (
            <Reasoning
              text={item.reasoning}
              streaming={item.streaming && item.text === ''}
              foldKey={`${sessionId}/${item.key}/reasoning`}
            />
          )}
          {item.text !== '' && <Prose text={item.text} streaming={item.streaming} />}
        </>
      );
    case 'call':
      return <Call call={item} sessionId={sessionId} turn={turn} turnRuns={turnRuns} approval={approval} />;
    case 'message':
      return (
        <UserMessage
          text={item.text}
          mentions={NO_MENTIONS}
          queued={item.queued && turnRuns}
          sessionId={sessionId}
          turnRuns={turnRuns}
        />
      );
    case 'hook':
      return <HookNotice item={item} />;
    case 'rules':
      return <RulesLine files={item.files} />;
    case 'compaction':
      return <CompactionLine item={item} running={busy} />;
    case 'retry':
      return <RetryNotice item={item} sessionId={sessionId} />;
    default:
      return assertNever(item);
  }
});

const NO_MENTIONS = [] as const;

function approvalOf(item: TurnItem, approvals: readonly AnsweredApproval[]): AnsweredApproval | undefined {
  return item.kind === 'call'
    ? approvals.findLast((approval) => approval.request.callId === item.callId)
    : undefined;
}

/** Nothing on the page moves though the turn runs: the model was asked and hasn't begun to answer. */
function isQuiet(items: readonly TurnItem[]): boolean {
  const last = items.findLast(
    (item) => item.kind !== 'message' && item.kind !== 'hook' && item.kind !== 'rules',
  );
  if (!last || (last.kind === 'compaction' && last.how !== undefined)) return true;
  if (last.kind === 'text') return !last.streaming;
  return (
    last.kind === 'call' && last.state !== 'gating' && last.state !== 'running' && last.state !== 'waiting'
  );
}

function Working({ since }: { readonly since: number }) {
  return (
    <div class="call">
      <div class="row is-still" data-testid="working">
        <Icon name="blank" />
        <Icon name="loading" spin />
        <span class="verb">{t('Working')}</span>
        <span class="cost words">
          <Elapsed since={since} />
        </span>
      </div>
    </div>
  );
}
