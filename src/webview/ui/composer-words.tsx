import type { PanelState } from '#protocol/panel-state';
import type { PanelModel } from '#webview/state/model';
import { t } from '#webview/text/words';

/** Why nothing can be written now; undefined when it can. */
export function closedWords(state: PanelState | undefined): string | undefined {
  if (!state) return undefined;
  if (state.problem) return t('Belay can’t work now');
  if (state.folder.kind === 'none') return t('Open a folder to start');
  if (state.folder.kind === 'choose') return t('Choose a folder to start');
  if (state.gone) return state.gone.title;
  return state.elsewhere ? t('Running in another window') : undefined;
}

/** What the empty composer invites to. */
export function placeholder({ state, transcript }: PanelModel): string {
  if (!state) return '';
  if (transcript?.approvals.some(({ by }) => !by)) return t('Answer above, or say something else');
  if (state.running) return t('Add to this turn');
  return state.trusted ? t('Ask, or type / for commands, @ for context') : t('Ask about this folder');
}
