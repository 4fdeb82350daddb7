import { t } from '#base/l10n';
import type { NotUndoable } from '#protocol/checkpoint';

/** Why an undo leaves a file out, as a sentence; where an earlier Belay noted it, without a reason. */
export function whyNotUndone(why: NotUndoable | undefined): string {
  switch (why) {
    case undefined:
      return t('An undo leaves it as it is.');
    case 'meanwhile':
      return t('An undo leaves it as it is, since something else was at work too.');
    case 'ignored':
      return t('An undo leaves it as it is, since git ignores it and it is too large to be kept.');
    case 'build':
      return t('An undo leaves it as it is, since build folders aren’t kept.');
    case 'too-large':
      return t('An undo leaves it as it is, since it is over 5 MB.');
    case 'budget':
      return t('An undo leaves it as it is: more had changed than is kept before a command.');
    case 'too-many':
      return t('An undo leaves it as it is: the command changed more than 10,000 files.');
    case 'special':
      return t('An undo leaves it as it is, since it is no regular file, or its name is no valid text.');
    case 'own':
      return t('An undo leaves it as it is, since these are Belay’s own settings.');
    case 'lost':
      return t('An undo leaves it as it is, since its earlier content can’t be had.');
    case 'moved':
      return t('An undo leaves it as it is, since it was moved here from where Belay doesn’t look.');
  }
}
