const TYPES = [
  'session.created',
  'session.titled',
  'session.rewound',
  'session.unwound',
  'session.forked',
  'mode.changed',
  'model.changed',
  'todos.changed',
  'files.kept',
  'checkpoint.undone',
  'checkpoint.redone',
  'checkpoint.changed',
  'checkpoint.pruned',
  'conversation.compacted',
  'turn.started',
  'turn.ended',
  'message.queued',
  'message.delivered',
];

/**
 * Events that shape a session as a whole, or speak of a turn after its end: a page of turns can't be folded without them. Not
 * `IN (…)`: for that SQLite would build a table with each event that is recorded.
 */
export const OUTLINE = `CASE type ${TYPES.map((type) => `WHEN '${type}' THEN 1`).join(' ')} END = 1`;

/** A field of an event, for an index: a damaged row has none. */
const field = (path: string) => `CASE WHEN json_valid(body) THEN json_extract(body, '$.${path}') END`;

/** Columns of the outline's index, which its query names in the same words. */
export const TURN = field('turn');
export const TURN_ID = field('turnId');
/** Tokens, for an index that is summed up. */
export const INPUT_TOKENS = field('usage.inputTokens');
export const OUTPUT_TOKENS = field('usage.outputTokens');
export const CACHED_TOKENS = field('usage.cachedInputTokens');

/**
 * What the list of sessions, search and paging need: who gave the title, what was put away, the outline of each session, and the
 * words that were said. `unindexed`: events up to this one, of before there was an index, wait to be indexed.
 */
export const HISTORY = `
ALTER TABLE sessions ADD COLUMN titled_by TEXT;
ALTER TABLE sessions ADD COLUMN archived_at INTEGER;
ALTER TABLE sessions ADD COLUMN unindexed INTEGER NOT NULL DEFAULT 0;
UPDATE sessions SET unindexed = COALESCE((SELECT MAX(sequence) FROM events WHERE session_id = sessions.id), 0);
CREATE INDEX sessions_unindexed ON sessions (unindexed) WHERE unindexed > 0;

CREATE INDEX events_outline ON events (session_id, sequence, type, at, ${TURN}, ${TURN_ID}) WHERE ${OUTLINE};
CREATE INDEX events_usage ON events (session_id, ${INPUT_TOKENS}, ${OUTPUT_TOKENS}, ${CACHED_TOKENS})
  WHERE type = 'model.completed';

CREATE TABLE history_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  sequence INTEGER NOT NULL,
  turn INTEGER,
  turn_id TEXT,
  rewound_by TEXT
) STRICT;
CREATE INDEX history_entries_by_turn ON history_entries (session_id, turn_id, turn);
CREATE VIRTUAL TABLE history_text USING fts5 (
  title, said, content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co So'"
);
CREATE TRIGGER history_entries_deleted AFTER DELETE ON history_entries BEGIN
  DELETE FROM history_text WHERE rowid = OLD.id;
END;
`;
