import type { App, AppSession } from '#app';
import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import type { Core, CoreState } from '#editor/core';
import { folderLabels } from '#editor/folder-labels';
import type { PanelState } from '#protocol/panel-state';
import { MODES } from '#protocol/settings';
import type { ChangesToReview } from './changes-to-review';
import { suggestionsFor } from './suggestions';

const NOTHING_CHANGED: PanelState['changes'] = {
  files: 0,
  added: 0,
  removed: 0,
  turns: [],
  paths: [],
  notUndoable: [],
  list: [],
};

/** What the page shows of the window's core. */
export type ShownCore = Pick<Core, 'start' | 'session'>;

/** What a state is made of, beside the core. */
export interface StateWorld {
  readonly trusted: boolean;
  readonly changes: ChangesToReview;
  /** What a place says that shows one session alone, where that isn't to be had. */
  readonly gone?: ((app: App) => PanelState['gone']) | undefined;
}

/** Everything around the transcript of the session shown, built anew whenever any of it changes: it is small. */
export async function panelState(core: ShownCore, world: StateWorld): Promise<PanelState> {
  const state = await core.start();
  const base = emptyState(state, world.trusted);
  if (state.kind === 'failed') return { ...base, problem: { title: state.title, detail: state.detail } };
  if (state.kind !== 'ready') return base;
  const { session } = core;
  const [models, sandbox, suggestions] = await Promise.all([
    state.models.shortList(session?.transcript().modelId),
    state.app.sandbox(),
    isEmpty(session) ? suggestionsFor(state.host.files, state.app.folder, world.trusted) : [],
  ]);
  return {
    ...base,
    modes: state.app.settings.permittedModes(),
    sessions: state.app.sessions(),
    models,
    sandbox,
    suggestions,
    slashCommands: state.app.slashCommands(),
    ...(session ? await sessionParts(session, world.changes) : goneParts(state.app, world)),
  };
}

function goneParts(app: App, { gone }: StateWorld): Partial<PanelState> {
  const words = gone?.(app);
  return words ? { gone: words } : {};
}

/** What a page shows that would otherwise stay empty, since its state could not be read. */
export async function unreadableState(core: ShownCore, error: unknown): Promise<PanelState> {
  const title = t('Belay can’t show this session');
  const detail = t('{0}. Nothing was changed. The log has more.', messageOf(error));
  return { ...emptyState(await core.start(), true), problem: { title, detail } };
}

function emptyState(state: CoreState, trusted: boolean): PanelState {
  return {
    folder: folderOf(state),
    trusted,
    sessionId: undefined,
    sessions: [],
    modes: MODES,
    models: [],
    modelId: undefined,
    running: false,
    elsewhere: false,
    suggestions: [],
    slashCommands: [],
    sandbox: { active: false, words: '' },
    interrupted: false,
    changes: NOTHING_CHANGED,
    background: [],
    canRedo: false,
    canRedoFiles: false,
  };
}

/** Suggestions are for a page on which nothing stands. */
function isEmpty(session: AppSession | undefined): boolean {
  return !session || session.transcript().turns.length === 0;
}

function folderOf(state: CoreState): PanelState['folder'] {
  switch (state.kind) {
    case 'ready':
      return { kind: 'open', name: state.folder.name };
    case 'choose':
      return { kind: 'choose', names: folderLabels(state.folders) };
    default:
      return { kind: 'none' };
  }
}

async function sessionParts(session: AppSession, changes: ChangesToReview): Promise<Partial<PanelState>> {
  const transcript = session.transcript();
  return {
    sessionId: session.id,
    modelId: transcript.modelId,
    running: session.running,
    elsewhere: session.elsewhere,
    interrupted: transcript.turns.at(-1)?.status === 'interrupted',
    changes: await changes.of(session),
    background: session.background.rows(),
    canRedo: session.canRedo(),
    canRedoFiles: session.canRedo('files'),
  };
}
