/** Commands that outlive the turn that started them. `told` is 1 once the model knows how one ended. */
export const BACKGROUND_COMMANDS = `
CREATE TABLE background_commands (
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  turn_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  command TEXT NOT NULL,
  description TEXT NOT NULL,
  cwd TEXT NOT NULL,
  pty INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  ending TEXT,
  last_lines TEXT,
  artifact_id TEXT,
  told INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (session_id, id)
) STRICT;
`;
