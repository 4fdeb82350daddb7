import { useEffect, useId, useState } from 'preact/hooks';
import type { ApprovalAnswer, ApprovalRequest } from '#protocol/approval';
import { approvalTitle, concernLines, riskWords } from '#webview/text/approval-words';
import { shortRule } from '#webview/text/rule-words';
import { t } from '#webview/text/words';
import { ApprovalButtons } from './approval-buttons';
import { DisplayView } from './call-body';
import { Icon } from './icon';
import { memo } from './memo';
import { usePort } from './port';

interface CardProps {
  readonly request: ApprovalRequest;
  /** How many wait: this one and those behind it. */
  readonly waiting: number;
  /** Another window asks it, and only there it can be answered. */
  readonly elsewhere: boolean;
}

/**
 * The only loud thing on the page. It waits, never takes the focus, and its answer is bound to this very input. The announcer reads it out, so
 * the log that it stands in doesn't.
 */
export const ApprovalCard = memo(({ request, waiting, elsewhere }: CardProps) => {
  const id = useId();
  return (
    <section
      class="card"
      role="alertdialog"
      aria-modal="false"
      aria-live="off"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-what ${id}-risk`}
      data-testid="approval"
      data-approval-id={request.id}
    >
      <div class="card-head">
        <Icon name="circle-filled" tone="accent" />
        <span class="card-title" id={`${id}-title`}>
          {approvalTitle(request)}
        </span>
        {waiting > 1 && <span class="card-count">{t('{0} of {1}', 1, waiting)}</span>}
      </div>
      <div class="card-body">
        <Asked request={request} id={id} />
        {elsewhere ? (
          <div class="say">{t('Answer it in the other window.')}</div>
        ) : (
          <Answer request={request} />
        )}
      </div>
    </section>
  );
});

/** Exactly what would happen, and what is unusual about it. */
function Asked({ request, id }: { readonly request: ApprovalRequest; readonly id: string }) {
  const { summary, description = '', preview } = request;
  return (
    <>
      <div class="command" id={`${id}-what`}>
        {summary}
      </div>
      {description !== '' && <div>{description}</div>}
      <div class="risk" id={`${id}-risk`}>
        {riskWords(request)}
      </div>
      {concernLines(request).map((concern) => (
        <div key={concern} class="concern">
          <Icon name="warning" tone="warn" />
          <span>{concern}</span>
        </div>
      ))}
      {preview && <DisplayView display={preview} />}
    </>
  );
}

function Answer({ request }: { readonly request: ApprovalRequest }) {
  const { post } = usePort();
  const [rule, setRule] = useState(request.suggestedRule);
  const [sent, setSent] = useSent();
  const answer = (chosen: ApprovalAnswer) => {
    setSent(true);
    post({
      type: 'answer',
      sessionId: request.sessionId,
      approvalId: request.id,
      inputSha256: request.inputSha256,
      answer: chosen,
    });
  };
  return (
    <>
      {rule !== undefined && (
        <div class="risk rule-line">
          {t('For this session:')} <span class="mono">{shortRule(rule)}</span>
        </div>
      )}
      <ApprovalButtons request={request} rule={rule} onRule={setRule} onAnswer={answer} sent={sent} />
    </>
  );
}

/** Milliseconds after which an answer that brought nothing may be given again: the first one that arrives counts. */
const PATIENCE = 5000;

function useSent(): readonly [boolean, (sent: boolean) => void] {
  const [sent, setSent] = useState(false);
  useEffect(() => {
    if (!sent) return;
    const timer = setTimeout(() => setSent(false), PATIENCE);
    return () => clearTimeout(timer);
  }, [sent]);
  return [sent, setSent];
}
