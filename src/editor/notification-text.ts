import { t } from '#base/l10n';
import { hasInvisible, revealInvisible } from '#base/text';
import type { ApprovalRequest } from '#protocol/approval';
import { isRedacted } from '#protocol/redacted';
import { touched } from '#protocol/tool-call';
import { plainText } from './plain-text';

/** Longest command that a notification shows whole. Longer ones are only reviewed, in the panel. */
const LONGEST = 160;

/** One sentence and the command; `whole` is false when what is asked isn't shown exactly as it is. */
export function notificationText(request: ApprovalRequest): { text: string; whole: boolean } {
  const exact = request.summary;
  const line = exact.split('\n', 1)[0] ?? '';
  const shown = plainText(revealInvisible(line));
  const cut = shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown;
  const executes = request.touches.some(({ kind }) => kind === 'execute');
  const sentence = executes ? t('Belay wants to run: {0}', cut) : t('Belay asks: {0}', cut);
  const circumstances = [
    ...(request.network ? [t('with the network')] : []),
    ...(request.risk === 'execute' && !request.sandbox.active ? [t('runs without a sandbox')] : []),
  ];
  return { text: [sentence, ...circumstances].join(' · '), whole: cut === exact && !hidesSomething(request) };
}

/** The summary may have been escaped already: what was declared tells whether it had to be. */
function hidesSomething({ summary, touches }: ApprovalRequest): boolean {
  return [summary, ...touches.map(touched)].some(
    (text) => hasInvisible(text) || isRedacted(text) || text.includes('\n'),
  );
}
