import type { AppSession } from '#app';
import type { Core, CoreState } from '#editor/core';
import type { CheckpointSummary } from '#protocol/checkpoint';
import { MODES } from '#protocol/settings';
import type { PanelState } from '#protocol/wire';
import { suggestionsFor } from './suggestions';

const NOTHING_CHANGED: PanelState['changes'] = {
  files: 0,
  added: 0,
  removed: 0,
  turns: [],
  paths: [],
  notUndoable: [],
};

/** Everything around the transcript, built anew whenever any of it changes: it is small. */
export async function panelState(core: Core, trusted: boolean): Promise<PanelState> {
  const state = await core.start();
  const base: PanelState = {
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
    canRedo: false,
  };
  if (state.kind === 'failed') return { ...base, problem: { title: state.title, detail: state.detail } };
  if (state.kind !== 'ready') return base;
  const session = core.session;
  const [models, sandbox] = await Promise.all([
    state.models.shortList(session?.transcript().modelId),
    state.app.sandbox(),
  ]);
  return {
    ...base,
    sessions: state.app.sessions(),
    models,
    sandbox,
    suggestions: isEmpty(session) ? await suggestionsFor(state.host.files, state.app.folder, trusted) : [],
    slashCommands: state.app.slashCommands(),
    ...(session ? sessionParts(session) : {}),
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
      return { kind: 'choose', names: state.folders.map(({ name }) => name) };
    default:
      return { kind: 'none' };
  }
}

function sessionParts(session: AppSession): Partial<PanelState> {
  const transcript = session.transcript();
  return {
    sessionId: session.id,
    modelId: transcript.modelId,
    running: session.running,
    elsewhere: session.elsewhere,
    interrupted: transcript.turns.at(-1)?.status === 'interrupted',
    changes: changesOf(session.changesToReview()),
    canRedo: session.canRedo,
  };
}

/** The bar's numbers: paths are counted once, lines over all turns. */
export function changesOf(checkpoints: readonly CheckpointSummary[]): PanelState['changes'] {
  const files = checkpoints.flatMap((checkpoint) => checkpoint.files);
  const paths = [...new Set(files.map(({ path }) => path))].sort();
  return {
    files: paths.length,
    added: files.reduce((sum, file) => sum + file.added, 0),
    removed: files.reduce((sum, file) => sum + file.removed, 0),
    turns: checkpoints.map(({ turn }) => turn),
    paths,
    notUndoable: [
      ...new Set(checkpoints.flatMap((checkpoint) => checkpoint.commandChanges.map(({ path }) => path))),
    ].sort(),
  };
}
