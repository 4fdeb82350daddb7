import { gitWords } from '#commands/git-words';
import { hasOption, isOption, takesNext } from '#commands/long-options';
import type { TableWord } from './command-class';

// What a rule like `git:*` can't have meant: only one that names every word opens it.

/** A word as far as it can be a flag or a verb: what has blanks in it is a message. */
function verbOf({ text }: TableWord): string {
  return /^[^-].*\s/s.test(text) ? '_' : text;
}

/** Flags and verbs by which git runs, now or later, what the line or a configuration names. */
export function choosesPrograms(args: readonly TableWord[]): boolean {
  const words = args.map(verbOf);
  const globals = words.slice(0, words.length - gitWords(words).rest.length);
  return (
    globals.some((word) =>
      /^(-c|--config-env|--exec-path=|--git-dir|--work-tree|-p|--paginate)/.test(word),
    ) ||
    /(^| )(config (?!--get|--list|-l)|bisect run|submodule foreach|filter-repo|difftool|mergetool|rebase .*(-x|--exe)|grep .*(-O|--op)|.*--(exec|upload-p|receive-p|ext-d|textc|outp))/.test(
      words.join(' '),
    )
  );
}

/** Takes away what can't be had back: changes that are in no commit, untracked files, stashes, other people's commits. */
export function destroys(args: readonly TableWord[]): boolean {
  const [name = '', ...own] = gitWords(args.map(verbOf)).rest;
  const has = (...names: readonly string[]) => hasOption(own, ...names);
  const given = (letters: string) => own.some((word) => new RegExp(`^-[a-zA-Z]*[${letters}]`).test(word));
  switch (name) {
    case 'clean':
    case 'filter-branch':
    case 'update-ref':
    case 'checkout-index':
    case 'read-tree':
      return true;
    case 'stash':
      return /^(drop|clear)$/.test(own[0] ?? '');
    case 'reflog':
      return /^(expire|delete)$/.test(own[0] ?? '');
    case 'reset':
      return has('--hard', '--merge');
    case 'checkout':
      return given('f') || has('--force') || overwrites(own);
    case 'switch':
      return given('f') || has('--force', '--discard-changes');
    case 'restore':
      return !onlyStaged(own);
    case 'mv':
      return given('f') || has('--force');
    case 'push':
      return (
        given('fd') ||
        has('--force', '--force-with-lease', '--mirror', '--delete', '--prune') ||
        own.some((word) => /^[+:]/.test(word))
      );
    case 'branch':
      return given('D') || has('--delete');
    case 'tag':
      return given('d') || has('--delete');
    case 'gc':
      return has('--prune');
    case 'rm':
    case 'worktree':
    case 'submodule':
      return given('f') || has('--force') || (name === 'worktree' && leadsOut(own));
    default:
      return false;
  }
}

/** Only the index is put back, the files stay. What stands behind the letter s is a source's name. */
function onlyStaged(own: readonly string[]): boolean {
  const flags = realFlags(own, ['-s', '--source', '--conflict', '--pathspec-from-file']);
  const has = (letter: string, name: string) =>
    flags.some((word) => isOption(word, name) || new RegExp(`^-[a-rt-zA-Z]*${letter}`).test(word));
  return has('S', '--staged') && !has('W', '--worktree');
}

/** The words that are flags for certain: none behind `--`, and no value of these options. What excuses a command must be one. */
function realFlags(own: readonly string[], valued: readonly string[]): readonly string[] {
  const end = own.indexOf('--');
  const before = end < 0 ? own : own.slice(0, end);
  return before.filter((word, at) => word.startsWith('-') && !takesNext(before[at - 1] ?? '', valued));
}

/** `checkout` with paths throws away what was changed in them. A lone word may be a branch; one that looks like a file isn't. */
function overwrites(own: readonly string[]): boolean {
  if (hasOption(own, '--pathspec-from-file')) return true;
  if (realFlags(own, ['--conflict']).some((word) => /^-[a-zA-Z]*[bBt]|^--(or|tr|de)/.test(word)))
    return false;
  const ended = own.indexOf('--');
  if (ended >= 0) return ended < own.length - 1;
  const operands = own.filter((word) => !word.startsWith('-'));
  const [only = ''] = operands;
  return operands.length > 1 || /^[.:*]|\/$|\*|\.[A-Za-z]\w*$/.test(only);
}

/** A work tree outside of the folder. */
function leadsOut(own: readonly string[]): boolean {
  return own.some((word) => /^[/~]|(^|\/)\.\.(\/|$)/.test(word));
}
