import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './stat';

/** Removes a folder with all that is in it, also where package managers made folders read-only. Links aren't followed. */
export async function removeFolder(folder: string): Promise<void> {
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    await remove();
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes(codeOf(error) ?? '')) throw error;
    await makeWritable(folder);
    await remove();
  }
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => undefined);
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => []))
    if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
}
