import path from 'node:path';
import type { Files } from '#host';
import type { AbsolutePath } from '#protocol/ids';

type Reader = Pick<Files, 'read'>;

/**
 * The branch that is checked out in a folder, read from git's own files: no process, so it works without git. A detached head is told
 * by its short hash. Undefined when the folder isn't the root of a working tree.
 */
export async function gitBranch(folder: AbsolutePath, files: Reader): Promise<string | undefined> {
  const gitPath = path.join(folder, '.git');
  // In a linked worktree or a submodule `.git` is a file that names the real folder.
  const link = await firstLine(gitPath, files);
  const gitFolder = link?.startsWith('gitdir: ') ? path.resolve(folder, link.slice(8)) : gitPath;
  const head = await firstLine(path.join(gitFolder, 'HEAD'), files);
  if (head?.startsWith('ref: refs/heads/')) return head.slice('ref: refs/heads/'.length);
  return head && /^[0-9a-f]{40,64}$/.test(head) ? `${head.slice(0, 8)} (detached)` : undefined;
}

async function firstLine(file: string, files: Reader): Promise<string | undefined> {
  try {
    const read = await files.read(file as AbsolutePath, { maxBytes: 4096 });
    return read.ok ? new TextDecoder().decode(read.value.bytes).split('\n', 1)[0]?.trim() : undefined;
  } catch {
    // A prompt without a branch is fine; a turn that fails for it isn't.
    return undefined;
  }
}
