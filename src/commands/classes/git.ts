import { executes, type Judge, type NotReads, type Reads, type TableWord, writes } from './command-class';
import { type FlagLine, pathOf, readByFlags, wordsOf } from './flags';
import { printedFiles } from './git-contents';

/*
 * git reads a repository whose own configuration can name programs: pagers, monitors, drivers, hooks, signers. So all of this
 * holds only in a hardened call (see git-hardening.ts) on a repository that names no drivers (see git-config.ts).
 */

/** How differences are shown. No --output, --ext-diff, --textconv, --no-index, -O. */
const DIFF =
  '-p -u -U: -s -w -b -z -R -a -W -M -C -B -D --patch --no-patch --unified= --raw --stat --stat=? --numstat --shortstat --summary --dirstat --name-only --name-status --patch-with-stat --compact-summary --minimal --patience --histogram --diff-algorithm= --diff-filter= --color --color=? --no-color --color-words --color-words=? --word-diff --word-diff=? --word-diff-regex= --no-renames --find-renames --find-renames=? --find-copies --find-copies-harder --check --full-index --binary --abbrev --abbrev=? --no-prefix --exit-code --quiet --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-cr-at-eol --ignore-space-at-eol --ignore-submodules --ignore-submodules=? --submodule --no-ext-diff --no-textconv --relative --function-context --inter-hunk-context= --text -S: -G: --pickaxe-regex --pickaxe-all';
/** Which commits. No --show-signature, which runs a program. */
const LOG =
  '-n: -# -i -E -F -P -L: -g --max-count= --skip= --since= --after= --until= --before= --author= --committer= --grep= --all-match --invert-grep --regexp-ignore-case --extended-regexp --fixed-strings --perl-regexp --all --branches --branches=? --tags --tags=? --remotes --remotes=? --merges --no-merges --first-parent --reverse --oneline --graph --decorate --decorate=? --no-decorate --follow --date= --relative-date --format= --pretty --pretty=? --abbrev-commit --no-abbrev-commit --topo-order --date-order --author-date-order --left-right --cherry-pick --cherry-mark --boundary --ancestry-path --simplify-by-decoration --full-history --source --walk-reflogs --no-walk --parents --children --count --no-notes --max-parents= --min-parents=';
const paths = (flags: string, more: Partial<FlagLine> = {}): FlagLine => ({
  flags,
  operands: 'paths',
  ...more,
});

/** Subcommands that only read, with the flags they may have. Operands are revisions or paths: both are looked at as paths. */
const SUBCOMMANDS: Readonly<Record<string, FlagLine>> = {
  status: paths(
    '-s -b -v -u -uno -uall -unormal -sb -z --short --branch --show-stash --porcelain --porcelain=? --long --untracked-files --untracked-files=? --ignored --ignored=? --ignore-submodules --ignore-submodules=? --column --no-column --ahead-behind --no-ahead-behind --renames --no-renames',
  ),
  diff: paths(`${DIFF} --cached --staged --merge-base --base --ours --theirs -0`),
  log: paths(`${DIFF} ${LOG}`),
  show: paths(`${DIFF} ${LOG}`),
  shortlog: paths('-n -s -e -c --numbered --summary --email --all --since= --until= --no-merges --group='),
  whatchanged: paths(`${DIFF} ${LOG}`),
  'rev-list': paths(LOG),
  'rev-parse': paths(
    '--abbrev-ref --short --short=? --verify --quiet -q --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-bare-repository --is-shallow-repository --symbolic-full-name --all --branches --tags --remotes',
  ),
  branch: {
    flags:
      '-a -r -v -l -i --all --remotes --verbose --list --show-current --color=? --no-color --column --no-column --sort= --format= --merged --no-merged --contains= --no-contains= --points-at= --ignore-case',
    operands: 'none',
  },
  tag: {
    flags: '-l -n -i --list --sort= --format= --column --no-column --merged --no-merged --ignore-case',
    operands: 'none',
  },
  'ls-files': paths(
    '-c -d -m -o -i -s -u -z -t -v -x: --cached --deleted --modified --others --ignored --stage --unmerged --exclude-standard --exclude= --error-unmatch --full-name --abbrev --eol --directory',
  ),
  'ls-tree': paths('-d -r -t -l -z --name-only --name-status --full-name --full-tree --long --abbrev'),
  blame: paths(
    '-L: -l -t -s -e -w -p -c -f -n -M -C -b --root --date= --porcelain --line-porcelain --show-email --show-name --show-number --since= --abbrev=',
  ),
  describe: paths(
    '--all --tags --long --always --dirty --abbrev= --exact-match --first-parent --match= --exclude= --contains',
  ),
  grep: {
    flags:
      '-n -i -I -v -w -E -G -F -P -h -H -l -L -c -q -z -o -p -W -e: -A: -B: -C: -m: -# --line-number --ignore-case --invert-match --word-regexp --extended-regexp --fixed-strings --perl-regexp --basic-regexp --files-with-matches --files-without-match --name-only --count --cached --heading --break --column --show-function --function-context --full-name --max-depth= --and --or --not --color --color=? --no-color --all-match --quiet --context= --after-context= --before-context= --only-matching --text',
    operands: 'pattern',
    patternFlags: '-e',
  },
  'merge-base': paths('-a --all --is-ancestor --octopus --independent --fork-point'),
  'name-rev': paths('--tags --all --name-only --refs='),
  'cat-file': paths('-t -s -p -e'),
  'for-each-ref': {
    flags: '--count= --sort= --format= --merged --no-merged --contains= --points-at=',
    operands: 'text',
  },
  'show-ref': {
    flags: '-s -q -d --heads --tags --branches --head --hash --verify --quiet --dereference',
    operands: 'text',
  },
  'diff-tree': paths(`${DIFF} -r -t -c -m --root --no-commit-id --cc`),
  'count-objects': { flags: '-v -H --verbose --human-readable', operands: 'none' },
  'check-ignore': paths('-v -q -n --verbose --quiet --non-matching --no-index'),
  reflog: paths('-n: -# --all --date= --format= --oneline'),
  version: { flags: '--build-options', operands: 'none' },
};
/** Subcommands of subcommands that only read. */
const NESTED: Readonly<Record<string, Readonly<Record<string, FlagLine>>>> = {
  remote: { '': { flags: '-v --verbose', operands: 'none' } },
  stash: { list: paths(LOG), show: paths(`${DIFF} --include-untracked`) },
  worktree: { list: { flags: '-v -z --porcelain --verbose', operands: 'none' } },
  reflog: { show: paths('-n: -# --all --date= --format= --oneline') },
  notes: { list: paths(''), show: paths('') },
};
/** Verbs that would change something where the table reads their name as an operand. */
const REFLOG_VERBS = /^(expire|delete|drop|exists|write)$/;

/** These change files or refs of the repository and run nothing of it. */
const WRITERS =
  /^(add|rm|mv|restore|reset|clean|stash|branch|tag|worktree|notes|gc|prune|remote|sparse-checkout|update-index|update-ref|apply|init|diff|log|show|archive|bundle|repack|reflog)$/;
const NETWORK = /^(fetch|pull|push|clone|ls-remote|send-pack|request-pull|svn|p4|lfs)$/;

/** `git` with its subcommand and flags. */
export const git: Judge = (args) => {
  const global = globals(args);
  if ('why' in global) return global;
  const { rest, folders } = global;
  const [name, ...own] = rest;
  if (name === undefined) return executes('it has no subcommand');
  if (args.length === 1 && /^(--version|-v|--help)$/.test(args[0]?.text ?? '')) return { paths: [] };
  const found = subcommand(name.text, own);
  if ('why' in found) return found;
  return {
    ...found,
    paths: [...folders, ...found.paths].map((path) => ({ ...path, deep: false })),
    hardened: true,
  };
};

/** Before the subcommand only `-C FOLDER` and the pager's switch. -c, --exec-path, --git-dir choose programs. */
function globals(
  args: readonly TableWord[],
): { readonly rest: readonly TableWord[]; readonly folders: Reads['paths'] } | NotReads {
  const folders: TableWord[] = [];
  let at = 0;
  for (; at < args.length; at++) {
    const text = args[at]?.text ?? '';
    const folder = args[at + 1];
    if (text === '-C' && folder?.kind === 'literal') {
      folders.push(folder);
      at++;
    } else if (text === '--version' || text === '-v' || text === '--help') break;
    else if (/^-./.test(text) && text !== '--no-pager' && text !== '-P')
      return executes(`${text} can choose the configuration or the programs that git uses`);
    else if (!/^-./.test(text)) break;
  }
  // Two of them add up, and where they lead isn't looked at.
  if (folders.length > 1) return executes('it is led from folder to folder');
  return { rest: args.slice(at), folders: folders.map((word) => pathOf(word)) };
}

function subcommand(name: string, args: readonly TableWord[]): Reads | NotReads {
  const formatted = args.find(({ text }) => /%G|%\(signature/.test(text));
  if (formatted) return executes(`${formatted.text} checks signatures by a program`);
  if (name === 'config') return config(args);
  const line = lineOf(name, args[0]?.text ?? '');
  const found = line && readBy(name, line, line.isNested ? args.slice(1) : args);
  if (found && !('why' in found)) return found;
  if (NETWORK.test(name)) return { class: 'network', why: `git ${name} speaks to another machine` };
  const why = found?.why ?? `git ${name} isn't known to only read`;
  return WRITERS.test(name) && !args.some(({ text }) => RUNS.test(text)) ? writes(why) : executes(why);
}

/** Keys that hold neither addresses, which may hold passwords, nor what a hardened call overrules. */
const HARMLESS_KEYS =
  /^(user\.(name|email)|(init|pull|push|fetch|branch|commit|rebase|tag|status|color)\.[\w./-]+|core\.(autocrlf|eol|ignorecase|filemode|bare|symlinks|quotepath))$/i;

/** One key's value, in the old spelling and in the new. */
function config(args: readonly TableWord[]): Reads | NotReads {
  const words = args.map(({ text }) => text);
  const key = /^(get|--get|--get-all)$/.test(words[0] ?? '') ? words[1] : words[0];
  const isRead = words.length === (key === words[0] ? 1 : 2);
  return isRead && key !== undefined && HARMLESS_KEYS.test(key)
    ? { paths: [] }
    : executes('git config may change what git runs, or show passwords in addresses');
}

/** Flags by which git runs a program, abbreviated or not. */
const RUNS =
  /^(-O|--op|--ext|--textc|-x$|--exec|--upload-p|--receive-p|--show-sig|-i$|--interactive|--edit|-e$)/;

/** The table's line for a subcommand, or for that verb of it. */
function lineOf(name: string, verb: string): (FlagLine & { readonly isNested?: true }) | undefined {
  const nested = Object.hasOwn(NESTED, name) ? NESTED[name] : undefined;
  const inner = nested && Object.hasOwn(nested, verb) ? nested[verb] : undefined;
  if (inner) return { ...inner, isNested: true };
  if (name === 'reflog' && REFLOG_VERBS.test(verb)) return undefined;
  return nested?.[''] ?? (Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined);
}

/** `git branch --list 'x*'` and `git tag -l 'v*'` take patterns where they would else take a name to make. */
function readBy(name: string, line: FlagLine, args: readonly TableWord[]): Reads | NotReads {
  const words = wordsOf(line, args);
  if ('why' in words) return words;
  const lists = (name === 'branch' || name === 'tag') && (words.given.has('-l') || words.given.has('--list'));
  const found = readByFlags(lists ? { ...line, operands: 'text' } : line, args);
  const prints = printedFiles(name, words);
  return 'why' in found || prints === undefined ? found : { ...found, prints };
}
