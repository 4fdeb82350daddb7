import type { RecoveredSession } from '#agent/sessions';
import { t } from '#base/l10n';

/** Something that a person should know once: what was recovered, what was set aside. */
export interface StartNotice {
  readonly sessionId?: string;
  readonly title: string;
  readonly detail: string;
}

/** A damaged database was set aside as that file. */
export function setAsideNotice(file: string | undefined): readonly StartNotice[] {
  if (file === undefined) return [];
  const detail = t(
    'It was damaged and set aside as {0}. A new one was begun; your files are untouched.',
    file,
  );
  return [{ title: t('Belay’s database could not be read'), detail }];
}

/** A turn that a crash had left open was brought to its end. */
export function recoveryNotice({ id, title, notes }: RecoveredSession): StartNotice {
  const what = t(
    'Belay was stopped while it worked. Nothing was run again. Review the changes, undo them, or go on.',
  );
  return {
    sessionId: id,
    title: t('A turn was interrupted: {0}', title),
    detail: [what, ...notes].join(' '),
  };
}
