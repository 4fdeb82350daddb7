/** When the process that writes to a session began: its number alone may come again. */
export const LEASES = `
ALTER TABLE sessions ADD COLUMN owner_born TEXT;
`;
