/** Where a session branched off from another; what was removed to save space; whose turn it is to do that. */
export const FORKS = `
ALTER TABLE sessions ADD COLUMN forked_from TEXT;
ALTER TABLE sessions ADD COLUMN forked_turn INTEGER;

ALTER TABLE checkpoints ADD COLUMN pruned_at INTEGER;

ALTER TABLE file_operations ADD COLUMN copy_of INTEGER;
CREATE INDEX file_operations_copies ON file_operations (copy_of) WHERE copy_of IS NOT NULL;

CREATE TABLE artifact_shares (
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  artifact_id TEXT NOT NULL REFERENCES artifacts (id) ON DELETE CASCADE,
  PRIMARY KEY (session_id, artifact_id)
) STRICT;
CREATE INDEX artifact_shares_by_artifact ON artifact_shares (artifact_id);
CREATE TRIGGER artifacts_outlive_their_session BEFORE DELETE ON sessions BEGIN
  UPDATE artifacts SET session_id =
    (SELECT s.session_id FROM artifact_shares s WHERE s.artifact_id = artifacts.id AND s.session_id <> OLD.id LIMIT 1)
  WHERE session_id = OLD.id
    AND EXISTS (SELECT 1 FROM artifact_shares s WHERE s.artifact_id = artifacts.id AND s.session_id <> OLD.id);
END;

CREATE TABLE housekeeping (
  task TEXT PRIMARY KEY,
  owner_id TEXT,
  owner_pid INTEGER,
  owner_host TEXT,
  owner_born TEXT,
  beat_at INTEGER,
  done_at INTEGER
) STRICT;
`;
