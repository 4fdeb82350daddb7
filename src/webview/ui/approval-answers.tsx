import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalAnswer, ApprovalRequest } from '#protocol/approval';
import { editableCommand } from '#webview/text/approval-words';
import { shortRule } from '#webview/text/rule-words';
import { t } from '#webview/text/words';
import { ApprovalButtons } from './approval-buttons';
import { Circumstances, Command } from './approval-what';
import { CommandField, EditButtons } from './command-field';
import { OutsideOffer } from './outside-offer';
import { usePort } from './port';
import { useReturn } from './use-return';

interface AnswersProps {
  readonly request: ApprovalRequest;
  readonly id: string;
}

/** What is asked and every way to answer it; the command itself can be edited first. */
export function ApprovalAnswers({ request, id }: AnswersProps) {
  const [answer, sent] = useAnswer(request);
  const [draft, setDraft] = useState<string | undefined>(undefined);
  const [rule, setRule] = useState(request.suggestedRule);
  useEditing(request, draft !== undefined);
  const editButton = useRef<HTMLButtonElement>(null);
  const goBack = useReturn(draft === undefined, () => editButton.current);
  const command = editableCommand(request);
  if (draft !== undefined && command !== undefined) {
    const cancel = () => {
      goBack();
      setDraft(undefined);
    };
    const run = () => {
      setDraft(undefined);
      answer({ answer: 'allow-once', ...(draft === command ? {} : { input: { command: draft } }) });
    };
    return (
      <>
        <CommandField value={draft} onChange={setDraft} onRun={run} onCancel={cancel} />
        <Circumstances request={request} id={`${id}-risk`} />
        <EditButtons value={draft} onRun={run} onCancel={cancel} />
      </>
    );
  }
  const onEdit = command === undefined ? undefined : () => setDraft(command);
  return (
    <>
      <Command
        id={`${id}-what`}
        summary={request.summary}
        onEdit={onEdit}
        editButton={editButton}
        disabled={sent}
      />
      <Circumstances request={request} id={`${id}-risk`} />
      <Buttons request={request} rule={rule} onRule={setRule} answer={answer} sent={sent} />
    </>
  );
}

interface ButtonsProps {
  readonly request: ApprovalRequest;
  readonly rule: string | undefined;
  readonly onRule: (rule: string) => void;
  readonly answer: (answer: ApprovalAnswer) => void;
  readonly sent: boolean;
}

function Buttons({ request, rule, onRule, answer, sent }: ButtonsProps) {
  return (
    <>
      {rule !== undefined && (
        <div class="risk rule-line" title={rule}>
          {t('For this session:')} <span class="mono">{shortRule(rule)}</span>
        </div>
      )}
      <ApprovalButtons request={request} rule={rule} onRule={onRule} onAnswer={answer} sent={sent} />
      {request.withoutSandbox && (
        <OutsideOffer why={request.withoutSandbox.why} sent={sent} onAnswer={answer} />
      )}
    </>
  );
}

/** Tells the extension that the command on this card isn't the one that its chord would allow. */
function useEditing({ id }: ApprovalRequest, editing: boolean): void {
  const { post } = usePort();
  useLayoutEffect(() => {
    if (!editing) return;
    post({ type: 'editing', approvalId: id });
    return () => post({ type: 'editing' });
  }, [editing, id]);
}

/** Milliseconds after which an answer that brought nothing may be given again: the first one that arrives counts. */
const PATIENCE = 5000;

/** Answers the question for exactly its input; `sent` until the extension had its time to confirm it. */
function useAnswer(request: ApprovalRequest): readonly [(answer: ApprovalAnswer) => void, boolean] {
  const { post } = usePort();
  const [sent, setSent] = useState(false);
  useEffect(() => {
    if (!sent) return;
    const timer = setTimeout(() => setSent(false), PATIENCE);
    return () => clearTimeout(timer);
  }, [sent]);
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
  return [answer, sent];
}
