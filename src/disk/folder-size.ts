import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Files whose sizes are asked for at a time. */
const BATCH = 64;

/** Bytes of all files under a folder, links not followed; what can't be read counts as nothing. Holds nobody up. */
export async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) if (entry.isDirectory()) folders.push(join(next, entry.name));
    const files = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => join(next ?? '', name));
    for (let from = 0; from < files.length; from += BATCH) {
      const sizes = files.slice(from, from + BATCH).map((file) =>
        lstat(file).then(
          ({ size }) => size,
          () => 0,
        ),
      );
      for (const size of await Promise.all(sizes)) bytes += size;
    }
  }
  return bytes;
}
