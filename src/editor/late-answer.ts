import { t } from '#base/l10n';
import type { AnswerFate } from './approvals';

/** What to say to an answer that decided nothing, since somebody was faster or nobody asks any more. */
export function lateWords(fate: Exclude<AnswerFate, { readonly kind: 'decided' }>): string {
  if (fate.kind === 'unknown') return t('Belay no longer asks this');
  const allowed = fate.answer.startsWith('allow');
  switch (fate.by) {
    case 'panel':
      return allowed ? t('Already allowed in the panel') : t('Already denied in the panel');
    case 'notification':
      return allowed ? t('Already allowed in the notification') : t('Already denied in the notification');
    case 'command':
      return allowed ? t('Already allowed by a command') : t('Already denied by a command');
    default:
      return allowed ? t('Already allowed') : t('Already denied');
  }
}
