import { t } from '#base/l10n';
import type { Core, ReadyCore } from './core';

/** The core for something that a person asked for. Where there is none this throws, in words that say what to do. */
export async function readyCore(core: Core): Promise<ReadyCore> {
  const state = await core.start();
  switch (state.kind) {
    case 'ready':
      return state;
    case 'failed':
      throw new Error(`${state.title}. ${state.detail}`);
    case 'no-folder':
      throw new Error(t('Open a folder first: Belay works in one folder.'));
    case 'choose':
      throw new Error(t('Choose a folder first: run “Belay: Choose Folder…”.'));
  }
}
