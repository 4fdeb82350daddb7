/** Where a session branched off from another. */
export const FORKS = `
ALTER TABLE sessions ADD COLUMN forked_from TEXT;
ALTER TABLE sessions ADD COLUMN forked_turn INTEGER;
`;
