import type { Mode } from '#protocol/settings';
import { t } from './words';

/** How a mode is named, explained and drawn. */
export interface ModeWords {
  readonly name: string;
  readonly detail: string;
  readonly icon: string;
}

/** A permission mode as the picker shows it. */
export function modeWords(mode: Mode): ModeWords {
  switch (mode) {
    case 'read-only':
      return { name: t('Read only'), detail: t('Reads. No changes, no commands'), icon: 'lock' };
    case 'prompt':
      return { name: t('Prompt'), detail: t('Asks before every change and command'), icon: 'shield' };
    case 'workspace-write':
      return {
        name: t('Workspace write'),
        detail: t('Edits this folder. Asks before commands'),
        icon: 'shield',
      };
    case 'allow':
      return { name: t('Allow'), detail: t('Runs without asking, in the sandbox'), icon: 'shield' };
    default:
      return {
        name: t('Full access'),
        detail: t('No sandbox, no questions. Until this session ends'),
        icon: 'warning',
      };
  }
}
