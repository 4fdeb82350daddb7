// What the manifest calls them. By themselves, since `activate` needs the names before anything of what they stand for.

export const CHAT_VIEW = 'belay.chat';

export const CHECKPOINTS_VIEW = 'belay.checkpoints';

/** The kind of tab that shows a session in the editor area. */
export const SESSION_TAB = 'belay.session';

/** Scheme of the documents that show long outputs. */
export const ARTIFACT_SCHEME = 'belay-output';
