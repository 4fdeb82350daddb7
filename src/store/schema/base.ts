/** Sessions, what was said and recorded in them, and what their turns changed. */
export const BASE = `
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  folder TEXT NOT NULL,
  title TEXT NOT NULL,
  mode TEXT NOT NULL,
  model_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  owner_id TEXT,
  owner_pid INTEGER,
  owner_host TEXT,
  heartbeat_at INTEGER
) STRICT;
CREATE INDEX sessions_by_folder ON sessions (folder);

CREATE TABLE events (
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  sequence INTEGER NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (session_id, sequence)
) STRICT;

CREATE TABLE messages (
  position INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  sequence INTEGER NOT NULL,
  body TEXT NOT NULL,
  rewound_by TEXT
) STRICT;
CREATE INDEX messages_by_session ON messages (session_id, position);

CREATE TABLE session_todos (
  session_id TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  todos TEXT NOT NULL
) STRICT;

CREATE TABLE approvals (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  request TEXT NOT NULL,
  asked_at INTEGER NOT NULL,
  answer TEXT,
  answered_by TEXT,
  answered_at INTEGER,
  dropped_by TEXT
) STRICT;
CREATE INDEX approvals_by_session ON approvals (session_id);

CREATE TABLE artifacts (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  bytes INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX artifacts_by_session ON artifacts (session_id);
CREATE TABLE artifact_pages (
  artifact_id TEXT NOT NULL REFERENCES artifacts (id) ON DELETE CASCADE,
  page INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (artifact_id, page)
) STRICT;

CREATE TABLE reads (
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  spans TEXT NOT NULL,
  total INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  PRIMARY KEY (session_id, path)
) STRICT;

CREATE TABLE checkpoints (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  turn_id TEXT NOT NULL,
  turn INTEGER NOT NULL,
  prompt TEXT NOT NULL,
  at INTEGER NOT NULL,
  state TEXT NOT NULL,
  start_sequence INTEGER NOT NULL,
  message_count INTEGER NOT NULL,
  todos TEXT NOT NULL,
  files TEXT,
  omitted_commands INTEGER NOT NULL DEFAULT 0,
  rewound_by TEXT
) STRICT;
CREATE INDEX checkpoints_by_session ON checkpoints (session_id, start_sequence);

CREATE TABLE file_operations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  checkpoint_id TEXT NOT NULL REFERENCES checkpoints (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  path TEXT NOT NULL,
  from_path TEXT,
  before TEXT NOT NULL,
  planned TEXT NOT NULL,
  after TEXT,
  settled TEXT NOT NULL,
  added INTEGER NOT NULL DEFAULT 0,
  removed INTEGER NOT NULL DEFAULT 0,
  undone_by TEXT
) STRICT;
CREATE INDEX file_operations_by_checkpoint ON file_operations (checkpoint_id);
CREATE INDEX file_operations_by_path ON file_operations (path);
CREATE INDEX file_operations_by_from ON file_operations (from_path) WHERE from_path IS NOT NULL;

CREATE TABLE made_folders (
  checkpoint_id TEXT NOT NULL REFERENCES checkpoints (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  undone_by TEXT,
  PRIMARY KEY (checkpoint_id, path)
) STRICT;

CREATE TABLE command_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  checkpoint_id TEXT NOT NULL REFERENCES checkpoints (id) ON DELETE CASCADE,
  after_operation INTEGER NOT NULL,
  path TEXT NOT NULL,
  operation TEXT NOT NULL,
  command TEXT NOT NULL,
  sha256 TEXT
) STRICT;
CREATE INDEX command_changes_by_checkpoint ON command_changes (checkpoint_id);
CREATE INDEX command_changes_by_path ON command_changes (path);

CREATE TABLE restores (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  redoes TEXT,
  scope TEXT NOT NULL,
  state TEXT NOT NULL,
  plan TEXT NOT NULL,
  at INTEGER NOT NULL,
  last_operation INTEGER NOT NULL,
  last_sequence INTEGER NOT NULL,
  redone_by TEXT
) STRICT;
CREATE INDEX restores_by_session ON restores (session_id);
`;
