import { useId } from 'preact/hooks';
import type { ApprovalAnswer } from '#protocol/approval';
import { t } from '#webview/text/words';
import { Concern } from './approval-what';
import { Button } from './buttons';

interface OfferProps {
  /** Why it is offered, as the gates say it. */
  readonly why: string;
  readonly sent: boolean;
  readonly onAnswer: (answer: ApprovalAnswer) => void;
}

/** The way out of the sandbox for this one command: set apart from the other answers, and said what it means. */
export function OutsideOffer({ why, sent, onAnswer }: OfferProps) {
  const id = useId();
  return (
    <div class="outside-offer" data-testid="outside-offer">
      <div class="say">{t('Offered because {0}', why)}</div>
      <Concern
        id={id}
        words={t('Without the sandbox it can read and change all that you can, and use the network.')}
      />
      <Button
        testId="without-sandbox"
        describedBy={id}
        disabled={sent}
        onPress={() => onAnswer({ answer: 'allow-once', withoutSandbox: true })}
      >
        <span class="button-label">{t('Run Once Without Sandbox')}</span>
      </Button>
    </div>
  );
}
