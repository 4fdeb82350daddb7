/**
 * What a person has seen and kept of a session's changes: a file up to a turn, or, with a content, only some of its lines: that
 * content is what the rest is compared with from then on.
 */
export const REVIEW = `
CREATE TABLE review_marks (
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  turn INTEGER NOT NULL,
  sha256 TEXT,
  bytes INTEGER,
  PRIMARY KEY (session_id, path)
) STRICT;
`;
