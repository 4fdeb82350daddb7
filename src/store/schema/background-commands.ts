/** Commands that outlive the turn that started them. */
export const BACKGROUND_COMMANDS = `
CREATE TABLE background_commands (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  turn_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  command TEXT NOT NULL,
  description TEXT NOT NULL,
  pty INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  exit_code INTEGER,
  signal TEXT,
  ending TEXT
) STRICT;
CREATE INDEX background_commands_by_session ON background_commands (session_id);
`;
