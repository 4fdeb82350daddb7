import type { ApprovalRequest } from '#protocol/approval';
import { isRedacted } from '#protocol/redacted';
import type { AnsweredApproval } from '#protocol/transcript';
import { visible } from './visible';
import { t } from './words';

/** The card's title: what kind of thing is asked. */
export function approvalTitle(request: ApprovalRequest): string {
  const { touches } = request;
  if (touches.some((touch) => touch.kind === 'execute')) return t('Run a command?');
  const write = touches.find((touch) => touch.kind === 'write');
  switch (write?.operation) {
    case 'create':
      return t('Create a file?');
    case 'modify':
      return t('Change a file?');
    case 'delete':
      return t('Delete a file?');
    case 'rename':
      return t('Rename a file?');
    default:
      break;
  }
  if (touches.some((touch) => touch.kind === 'reach')) return t('Use the network?');
  return touches.some((touch) => touch.kind === 'read')
    ? t('Read a file?')
    : t('Use {0}?', othersName(request));
}

/** A tool of others by the name that people know it by, where it brings one. */
function othersName({ tool, preview }: ApprovalRequest): string {
  return visible((preview?.kind === 'json' && preview.title) || tool);
}

/** Risk in words: "Executes · no network · sandboxed". What isn't sandboxed stands among the concerns instead. */
export function riskWords(request: ApprovalRequest): string {
  if (request.risk !== 'execute') return request.risk === 'read' ? t('Reads') : t('Writes in this folder');
  const { active, workspace } = request.sandbox;
  const parts = [t('Executes'), networkWords(request)];
  if (active) parts.push(workspace === 'read-only' ? t('sandboxed, folder read-only') : t('sandboxed'));
  return parts.join(' · ');
}

function networkWords({ network, sandbox }: ApprovalRequest): string {
  if (network) return t('with network');
  return sandbox.reach === 'hosts' ? t('allowed hosts only') : t('no network');
}

/** What is unusual, each a line of its own. */
export function concernLines(request: ApprovalRequest): readonly string[] {
  const unconfined = request.risk === 'execute' && !request.sandbox.active;
  const words = request.sandbox.words;
  const sandbox = unconfined
    ? [words === '' ? t('Runs without a sandbox') : t('Runs without a sandbox: {0}', words)]
    : [];
  return [...sandbox, ...request.concerns.filter((concern) => concern !== words)];
}

const EDITABLE: ReadonlySet<string> = new Set(['run_command', 'start_command']);

/** The command as it can be edited; undefined where what is shown isn't exactly what would run. */
export function editableCommand({ tool, touches, summary }: ApprovalRequest): string | undefined {
  const [touch, ...others] = touches;
  if (!EDITABLE.has(tool) || touch?.kind !== 'execute' || others.length > 0) return undefined;
  const exact = touch.command === summary && !isRedacted(summary);
  return exact ? summary : undefined;
}

/** What stays said under a call: that a person changed it, or let it out of the sandbox. */
export function answerMarks(approval: AnsweredApproval | undefined): readonly string[] {
  const answer = approval?.answer;
  if (!answer?.answer.startsWith('allow')) return [];
  return [
    ...(answer.input ? [t('You changed it before it ran')] : []),
    ...(answer.withoutSandbox ? [t('Without the sandbox, once')] : []),
  ];
}

/** Said under a call that was answered somewhere else than in this panel. */
export function answeredElsewhere(approval: AnsweredApproval | undefined): string | undefined {
  if (!approval?.answer || (approval.by !== 'notification' && approval.by !== 'command')) return undefined;
  const allowed = approval.answer.answer.startsWith('allow');
  if (approval.by === 'command')
    return allowed ? t('Already allowed by a command') : t('Already denied by a command');
  return allowed ? t('Already allowed in the notification') : t('Already denied in the notification');
}

/** Read out once when a question comes, whatever has the focus. */
export function spokenApproval(request: ApprovalRequest): string {
  return [
    approvalTitle(request),
    request.summary,
    request.description ?? '',
    riskWords(request),
    ...concernLines(request),
    request.withoutSandbox ? t('It can also be run once without the sandbox') : '',
  ]
    .filter((part) => part !== '')
    .map((part) => (/[.?!]$/.test(part) ? part : `${part}.`))
    .join(' ');
}
