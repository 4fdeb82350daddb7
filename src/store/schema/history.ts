/** What the list of sessions needs: who gave the title, what was put away. */
export const HISTORY = `
ALTER TABLE sessions ADD COLUMN titled_by TEXT;
ALTER TABLE sessions ADD COLUMN archived_at INTEGER;
`;
