import { t } from '#base/l10n';
import { hasInvisible, revealInvisible } from '#base/text';
import type { ApprovalRequest } from '#protocol/approval';

/** Longest command that a notification shows whole. Longer ones are only reviewed, in the panel. */
const LONGEST = 160;

/** One sentence and the command; `whole` is false when the command isn't shown exactly as it would run. */
export function notificationText(request: ApprovalRequest): { text: string; whole: boolean } {
  const exact = request.summary;
  const line = exact.split('\n', 1)[0] ?? '';
  // A notification renders [words](address) as a link: shown as an escape, so that no command hides behind words.
  const shown = revealInvisible(line).replaceAll('](', ']\\u{28}');
  const cut = shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown;
  const whole = cut === exact && !hasInvisible(exact);
  const sentence =
    request.risk === 'execute' && request.touches.some(({ kind }) => kind === 'execute')
      ? t('Belay wants to run: {0}', cut)
      : t('Belay asks: {0}', cut);
  const sandbox = request.sandbox.active ? '' : ` · ${t('runs without a sandbox')}`;
  return { text: `${sentence}${request.risk === 'execute' ? sandbox : ''}`, whole };
}
