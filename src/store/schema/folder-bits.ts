/** Permission bits of folders that turns made and took away; without them an earlier Belay's records say nothing of bits. */
export const FOLDER_BITS = `
ALTER TABLE made_folders ADD COLUMN mode INTEGER;
ALTER TABLE made_folders ADD COLUMN remade INTEGER;
`;
