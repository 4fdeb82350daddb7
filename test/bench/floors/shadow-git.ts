import { execFileSync } from 'node:child_process';

/** What others do instead: a repository of its own beside the person's, everything added and committed after each turn. */
export function openShadowGit(workTree: string, gitDir: string) {
  const git = (...args: readonly string[]) =>
    execFileSync('git', [`--git-dir=${gitDir}`, `--work-tree=${workTree}`, ...args], { stdio: 'ignore' });
  git('init');
  const commit = () => {
    git('add', '-A', '.');
    git('-c', 'user.name=floor', '-c', 'user.email=', 'commit', '-q', '--allow-empty', '-m', 'turn');
  };
  commit();
  return { commit };
}
