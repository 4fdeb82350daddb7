/**
 * What commands did to files: operations that name the command, folders that it took away, changes that stay with the reason,
 * commands that have begun, and what was kept of files before them.
 */
export const COMMAND_OPERATIONS = `
ALTER TABLE file_operations ADD COLUMN command TEXT;
ALTER TABLE made_folders ADD COLUMN gone INTEGER NOT NULL DEFAULT 0;
ALTER TABLE command_changes ADD COLUMN why TEXT;

CREATE TABLE command_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  checkpoint_id TEXT NOT NULL REFERENCES checkpoints (id) ON DELETE CASCADE,
  command TEXT NOT NULL,
  ended INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX command_runs_by_checkpoint ON command_runs (checkpoint_id);

CREATE TABLE kept_contents (
  folder TEXT NOT NULL,
  path TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  mode INTEGER NOT NULL,
  links INTEGER NOT NULL,
  inode REAL NOT NULL,
  mtime REAL NOT NULL,
  ctime REAL NOT NULL,
  sha256 TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (folder, path)
) STRICT, WITHOUT ROWID;
`;
