import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** What others do instead, in a git folder of its own beside the person's. */
export interface ShadowGit {
  /** After each turn: everything is added and committed. */
  commit(): void;
  /** After each step: everything is added to an index of its own and becomes a tree. */
  writeTree(): void;
  /** Back to the last commit but one, and no further. */
  goBack(): void;
}

export function openShadowGit(workTree: string, gitDir: string): ShadowGit {
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    execFileSync('git', [`--git-dir=${gitDir}`, `--work-tree=${workTree}`, ...args], {
      stdio: 'ignore',
      cwd: workTree,
      env: { ...process.env, ...env },
    });
  const own = { GIT_INDEX_FILE: path.join(gitDir, 'index-of-trees') };
  const shadow: ShadowGit = {
    commit() {
      run(['add', '-A', '.']);
      run(['-c', 'user.name=floor', '-c', 'user.email=', 'commit', '-q', '--allow-empty', '-m', 'turn']);
    },
    writeTree() {
      run(['add', '-A', '.'], own);
      run(['write-tree'], own);
    },
    goBack: () => void run(['reset', '-q', '--hard', 'HEAD~1']),
  };
  if (!existsSync(gitDir)) {
    run(['init']);
    shadow.commit();
    shadow.writeTree();
  }
  return shadow;
}
