import { t } from '#base/l10n';
import type { Mode } from '#protocol/settings';

/** A permission mode in words for people: its name, and what it means. */
export function modeWords(mode: Mode): { readonly name: string; readonly detail: string } {
  switch (mode) {
    case 'read-only':
      return { name: t('Read only'), detail: t('Reads. No changes, no commands') };
    case 'prompt':
      return { name: t('Prompt'), detail: t('Asks before every change and command') };
    case 'workspace-write':
      return { name: t('Workspace write'), detail: t('Edits this folder. Asks before commands') };
    case 'allow':
      return { name: t('Allow'), detail: t('Runs without asking, in the sandbox') };
    case 'danger-full-access':
      return { name: t('Full access'), detail: t('No sandbox, no questions. Until this session ends') };
  }
}
