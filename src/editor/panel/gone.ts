import type { App } from '#app';
import { t } from '#base/l10n';
import type { PanelState } from '#protocol/panel-state';

/** What a tab says whose session isn't to be had: it belongs to another folder, or it is gone. */
export function goneWords(
  history: Pick<App['history'], 'folderOf'>,
  sessionId: string | undefined,
): NonNullable<PanelState['gone']> {
  if (sessionId === undefined)
    return {
      title: t('Which session this tab showed is not known any more'),
      detail: t('The session itself is kept, if it was not deleted: it stands in the list.'),
    };
  const folder = history.folderOf(sessionId);
  if (folder !== undefined)
    return {
      title: t('This session belongs to another folder'),
      detail: t('It works in {0}. Open that folder to go on with it.', folder),
    };
  return {
    title: t('This session is gone'),
    detail: t('It was deleted, or nothing was said in it. Your files are as they were.'),
  };
}
