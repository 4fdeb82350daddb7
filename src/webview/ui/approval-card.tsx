import { useId } from 'preact/hooks';
import type { ApprovalRequest } from '#protocol/approval';
import { approvalTitle } from '#webview/text/approval-words';
import { t } from '#webview/text/words';
import { ApprovalAnswers } from './approval-answers';
import { Circumstances, Command } from './approval-what';
import { Icon } from './icon';
import { memo } from './memo';

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
        {elsewhere ? (
          <>
            <Command id={`${id}-what`} summary={request.summary} />
            <Circumstances request={request} id={`${id}-risk`} />
            <div class="say">{t('Answer it in the other window.')}</div>
          </>
        ) : (
          <ApprovalAnswers request={request} id={id} />
        )}
      </div>
    </section>
  );
});
