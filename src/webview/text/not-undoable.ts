import type { NotUndoable } from '#protocol/checkpoint';
import { t } from './words';

/** Why an undo leaves a file out, for people; empty where an earlier Belay noted it without a reason. */
export function whyWords(why: NotUndoable | undefined): string {
  switch (why) {
    case undefined:
      return '';
    case 'meanwhile':
      return t('something else was at work too');
    case 'ignored':
      return t('ignored by git');
    case 'build':
      return t('build folders aren’t kept');
    case 'too-large':
      return t('over 5 MB');
    case 'budget':
      return t('more than is kept before a command');
    case 'too-many':
      return t('more than 10,000 files changed');
    case 'special':
      return t('no regular file, or no valid name');
    case 'own':
      return t('Belay’s own settings');
    case 'lost':
      return t('its earlier content can’t be had');
    case 'moved':
      return t('moved here from where Belay doesn’t look');
  }
}
