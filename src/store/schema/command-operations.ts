/** File operations that a command did; absent for those of tools. */
export const COMMAND_OPERATIONS = `
ALTER TABLE file_operations ADD COLUMN command TEXT;
`;
