import { permittedMode } from '#gates/settings-files/forbids';
import type { Mode } from '#protocol/settings';
import type { Core } from './core';
import type { SessionState } from './session-state';

/** The first events of a session that was just made: that it is there, and what was chosen for it. */
export function recordBirth({ log, mode, modelId }: SessionState): void {
  log.recordNow({ type: 'session.created', title: '' });
  log.recordNow({ type: 'mode.changed', mode });
  if (modelId !== '') log.recordNow({ type: 'model.changed', modelId });
}

/** A mode that the policy forbids becomes the next stricter one. Throws when the store can't be written. */
export function chooseMode(core: Core, session: SessionState, wanted: Mode): void {
  const mode = permittedMode(wanted, core.settingsFiles.current());
  if (mode === session.mode) return;
  session.mode = mode;
  core.store.sessions.update(session.id, { mode });
  session.log.recordNow({ type: 'mode.changed', mode });
}

/** Throws when the store can't be written. */
export function chooseModel(core: Core, session: SessionState, modelId: string): void {
  if (modelId === session.modelId) return;
  session.modelId = modelId;
  core.store.sessions.update(session.id, { modelId });
  session.log.recordNow({ type: 'model.changed', modelId });
}
