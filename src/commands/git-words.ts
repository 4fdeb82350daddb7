import type { Inner } from './inner';
import { isOption } from './long-options';

/** git's words, with what stands before the subcommand told apart from it. */
export interface GitWords {
  /** `KEY=VALUE` of each `-c`. */
  readonly configs: readonly string[];
  /** From the subcommand on. */
  readonly rest: readonly string[];
}

/** git's own options that take the next word. */
const VALUES = new Set(
  '-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source --shallow-file'.split(
    ' ',
  ),
);

/** Reads the words behind `git`. git takes none of these options abbreviated. */
export function gitWords(args: readonly string[]): GitWords {
  const configs: string[] = [];
  let at = 0;
  for (; at < args.length && /^-./.test(args[at] ?? ''); at++) {
    const word = args[at] ?? '';
    if (!VALUES.has(word)) continue;
    at++;
    if (word === '-c') configs.push(args[at] ?? '');
  }
  return { configs, rest: args.slice(at) };
}

/** Keys of a configuration whose value git runs as a script. */
const PROGRAMS =
  /^alias\.|(pager|editor|sshcommand|askpass|fsmonitor|external|command|textconv|clean|smudge|process|driver|helper|program|cmd|gitproxy)$/i;

/** What git would run of the words behind its name: aliases and programs of `-c`, and subcommands that take a command. */
export function gitInner(args: readonly string[]): readonly Inner[] {
  const { configs, rest } = gitWords(args);
  const [name = '', ...own] = rest;
  const inner: Inner[] = [];
  for (const config of configs) {
    const equals = config.indexOf('=');
    const key = equals < 0 ? config : config.slice(0, equals);
    const value = equals < 0 ? '' : config.slice(equals + 1);
    if (!PROGRAMS.test(key)) continue;
    if (!/^alias\./i.test(key)) inner.push(script(value));
    else if (key.slice('alias.'.length).toLowerCase() === name.toLowerCase()) inner.push(alias(value, own));
  }
  return [...inner, ...ofSubcommand(name, own)];
}

/** An alias is words of git, or behind a `!` a script that gets the other words. */
function alias(value: string, own: readonly string[]): Inner {
  if (value.startsWith('!')) return script([value.slice(1), ...own].join(' '));
  return { kind: 'words', words: ['git', ...value.split(/\s+/).filter((word) => word !== ''), ...own] };
}

function ofSubcommand(name: string, own: readonly string[]): readonly Inner[] {
  switch (name) {
    case 'bisect':
      return own[0] === 'run' ? [{ kind: 'words', words: own.slice(1) }] : [];
    case 'submodule': {
      const at = own.indexOf('foreach');
      const rest = at < 0 ? [] : own.slice(at + 1).filter((word) => !/^(--recursive|-q|--quiet)$/.test(word));
      return rest.length > 0 ? [script(rest.join(' '))] : [];
    }
    case 'rebase':
      return valuesOf(own, '-x', '--exec');
    case 'difftool':
      return valuesOf(own, '-x', '--extcmd');
    case 'filter-branch':
      return own.flatMap((word, at) => (/^--[a-z]+-filter$/.test(word) ? [script(own[at + 1] ?? '')] : []));
    default:
      return [];
  }
}

function valuesOf(own: readonly string[], short: string, long: string): readonly Inner[] {
  return own.flatMap((word, at) => {
    if (word === short) return [script(own[at + 1] ?? '')];
    if (word.startsWith(short) && !word.startsWith('--')) return [script(word.slice(short.length))];
    if (!isOption(word, long)) return [];
    const equals = word.indexOf('=');
    return [script(equals < 0 ? (own[at + 1] ?? '') : word.slice(equals + 1))];
  });
}

function script(text: string): Inner {
  return { kind: 'script', script: text, shell: 'sh' };
}
