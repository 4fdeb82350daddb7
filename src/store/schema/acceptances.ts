/** What the person accepted of a project's settings files. */
export const ACCEPTANCES = `
CREATE TABLE acceptances (
  folder TEXT NOT NULL,
  file_set TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  verdict TEXT NOT NULL,
  content TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (folder, file_set, sha256)
) STRICT;
`;
