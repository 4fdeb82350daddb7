import { useRef, useState } from 'preact/hooks';
import type { ApprovalAnswer, ApprovalRequest } from '#protocol/approval';
import { ruleChoice, shortRule } from '#webview/text/rule-words';
import { t } from '#webview/text/words';
import { Button, SplitButton } from './buttons';
import type { MenuEntry } from './menu';
import { useReturn } from './use-return';
import { WordsField } from './words-field';

interface ButtonsProps {
  readonly request: ApprovalRequest;
  /** What *allow for this session* would add; absent where no rule can allow it. */
  readonly rule: string | undefined;
  readonly onRule: (rule: string) => void;
  readonly onAnswer: (answer: ApprovalAnswer) => void;
  /** Answered here, and the extension hasn't confirmed it yet: a second click must not reach the next question. */
  readonly sent: boolean;
}

/** Allow once, allow a shown rule for this session, deny, and the ways around them. */
export function ApprovalButtons({ request, rule, onRule, onAnswer, sent }: ButtonsProps) {
  const [asking, setAsking] = useState<'rule' | 'why' | undefined>(undefined);
  const row = useRef<HTMLDivElement>(null);
  const opener = useRef('');
  const goBack = useReturn(asking === undefined, () =>
    row.current?.querySelector<HTMLElement>(`[data-testid="${opener.current}"]`),
  );
  const ask = (what: 'rule' | 'why') => {
    opener.current = what === 'rule' ? 'allow-session' : 'deny';
    setAsking(what);
  };
  const back = () => {
    goBack();
    setAsking(undefined);
  };
  if (asking === 'rule') {
    const take = (text: string) => {
      onRule(text);
      back();
    };
    const label = t('Rule for this session');
    return (
      <WordsField
        label={label}
        value={rule ?? ''}
        submit={t('Use This Rule')}
        onSubmit={take}
        onCancel={back}
      />
    );
  }
  if (asking === 'why') {
    const deny = (feedback: string) => onAnswer({ answer: 'deny-once', feedback });
    const label = t('What should it do instead?');
    return <WordsField label={label} value="" submit={t('Deny')} onSubmit={deny} onCancel={back} />;
  }
  const ways = rule !== undefined && { rule, onRule, onEdit: () => ask('rule') };
  return (
    <div class="button-row" ref={row}>
      <Button primary testId="allow-once" disabled={sent} onPress={() => onAnswer({ answer: 'allow-once' })}>
        {t('Allow Once')}
      </Button>
      {ways && <SessionButton request={request} ways={ways} sent={sent} onAnswer={onAnswer} />}
      <SplitButton
        testId="deny"
        disabled={sent}
        menuLabel={t('More ways to deny')}
        entries={denyEntries(onAnswer, () => ask('why'))}
        onPress={() => onAnswer({ answer: 'deny-once' })}
      >
        <span class="button-label">{t('Deny')}</span>
      </SplitButton>
    </div>
  );
}

interface RuleWays {
  readonly rule: string;
  readonly onRule: (rule: string) => void;
  readonly onEdit: () => void;
}

interface SessionProps extends Pick<ButtonsProps, 'request' | 'sent' | 'onAnswer'> {
  readonly ways: RuleWays;
}

/** Shows the very rule where there is room; where there isn't, the rule stands in the card above. */
function SessionButton({ request, ways, sent, onAnswer }: SessionProps) {
  const { rule } = ways;
  return (
    <SplitButton
      testId="allow-session"
      disabled={sent}
      label={t('Allow {0} for this session', shortRule(rule))}
      title={rule}
      menuLabel={t('Choose the rule')}
      entries={ruleEntries(request, ways)}
      onPress={() => onAnswer({ answer: 'allow-session', rule })}
    >
      <span class="button-label when-wide">
        <RuleWords rule={rule} />
      </span>
      <span class="button-label when-narrow">{t('For Session')}</span>
    </SplitButton>
  );
}

/** "Allow npm test … This Session": the rule stands in the editor's font where the translation puts it. */
function RuleWords({ rule }: { readonly rule: string }) {
  const [before = '', after = ''] = t('Allow {0} This Session', '\u0000').split('\u0000');
  return (
    <>
      {before}
      <span class="mono">{shortRule(rule)}</span>
      {after}
    </>
  );
}

function ruleEntries(request: ApprovalRequest, { rule, onRule, onEdit }: RuleWays): readonly MenuEntry[] {
  const rules = [
    ...new Set([...request.ruleChoices, ...(request.suggestedRule ? [request.suggestedRule] : []), rule]),
  ];
  const choices = rules.map((each): MenuEntry => {
    const choice = ruleChoice(each);
    return {
      kind: 'choice',
      key: each,
      label: choice.label,
      detail: choice.matcher,
      detailBelow: true,
      mono: true,
      checked: each === rule,
      onPick: () => onRule(each),
    };
  });
  return [
    ...choices,
    { kind: 'rule', key: 'line' },
    { kind: 'action', key: 'edit', icon: 'edit', label: t('Edit Rule…'), onPick: onEdit },
  ];
}

function denyEntries(onAnswer: ButtonsProps['onAnswer'], onWhy: () => void): readonly MenuEntry[] {
  return [
    {
      kind: 'action',
      key: 'session',
      label: t('Deny for This Session'),
      onPick: () => onAnswer({ answer: 'deny-session' }),
    },
    { kind: 'action', key: 'why', label: t('Deny and Say Why…'), onPick: onWhy },
  ];
}
