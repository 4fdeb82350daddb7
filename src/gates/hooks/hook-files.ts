import { isAbsolute, relative, resolve, sep } from 'node:path';
import { understand } from '#commands/grammar';
import { commandName } from '#commands/inner';
import type { ShellWord } from '#commands/shell-words';
import { innerCommands } from '#commands/wrappers';
import type { SettingsFile } from '#gates/settings-files/settings-file';
import type { AbsolutePath } from '#protocol/ids';
import type { Settings } from '#protocol/settings';
import { readHooks } from './read-hooks';

/** They run the file that is their first operand. */
const INTERPRETERS =
  /^(sh|bash|dash|zsh|ksh|fish|node|nodejs|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php|lua|pwsh|powershell|source|\.)$/;
/** A flag may stand before it with a file of its own to load. */
const SCRIPT = /\.([cm]?[jt]sx?|py|rb|pl|php|lua|ps1|sh|bash|zsh)$/;
/** Verbs before that operand. */
const VERBS = /^(run|exec)$/;
/** The folder that they run in. */
const FOLDER = /\$(?:CLAUDE_PROJECT_DIR\b|\{CLAUDE_PROJECT_DIR\})/g;

/**
 * The protected names with the workspace's files that hooks run: hooks run outside the sandbox, so whoever may change such a script
 * unasked could do anything. Known are programs and the scripts that interpreters are given, not what these load in turn.
 */
export function protectedNames(
  { protectedFiles, hooks }: Pick<Settings, 'protectedFiles' | 'hooks'>,
  files: readonly Pick<SettingsFile, 'counts' | 'hooks'>[],
  root: AbsolutePath,
): readonly string[] {
  const all = [hooks, ...files.flatMap((file) => (file.counts ? [file.hooks] : []))];
  const names = all.flatMap((each) => namesOf(each, root));
  return names.length === 0 ? protectedFiles : joined(protectedFiles, names);
}

const known = new WeakMap<object, { readonly root: string; readonly names: readonly string[] }>();

/** Settings are asked for on every call and stay the same object for long. */
function namesOf(hooks: unknown, root: AbsolutePath): readonly string[] {
  if (typeof hooks !== 'object' || hooks === null) return [];
  const before = known.get(hooks);
  if (before?.root === root) return before.names;
  const commands = new Set(readHooks(hooks, '').hooks.map(({ command }) => command));
  const names = [...new Set([...commands].flatMap((command) => scripts(command, root)))];
  known.set(hooks, { root, names });
  return names;
}

let last:
  | { readonly from: readonly string[]; readonly key: string; readonly all: readonly string[] }
  | undefined;

/** The same list while nothing changes: what is compiled of it is kept by it. */
function joined(from: readonly string[], names: readonly string[]): readonly string[] {
  const key = names.join('\n');
  if (last?.from !== from || last.key !== key) last = { from, key, all: [...from, ...names] };
  return last.all;
}

/** What one hook's command runs of the workspace, as patterns from its root. */
function scripts(command: string, root: AbsolutePath): readonly string[] {
  const line = command.replace(FOLDER, '.');
  const found: string[] = [];
  const waiting = understand(line, 'bash').commands.map(({ words }) => words.filter(isPlain).map(textOf));
  for (let at = 0; at < waiting.length && at < MOST_COMMANDS; at++) {
    const words = waiting[at] ?? [];
    found.push(...ownScripts(words));
    for (const inner of innerCommands(words)) {
      if (inner.kind === 'words') waiting.push([...inner.words]);
      else
        waiting.push(
          ...understand(inner.script, inner.shell).commands.map((each) =>
            each.words.filter(isPlain).map(textOf),
          ),
        );
    }
  }
  return found.flatMap((path) => patternOf(path, root) ?? []);
}

const MOST_COMMANDS = 50;

function isPlain({ literal }: ShellWord): boolean {
  return literal;
}

function textOf({ text }: ShellWord): string {
  return text;
}

/** The program where it is a file, and what an interpreter is given. */
function ownScripts([head = '', ...args]: readonly string[]): readonly string[] {
  const own = head.includes('/') ? [head] : [];
  if (!INTERPRETERS.test(commandName(head))) return own;
  // The script stands on the line.
  if (args.some((word) => /^(-[a-z]*[ce]|--eval|--print)$/.test(word))) return own;
  const operands = args.filter((word) => !word.startsWith('-') && !VERBS.test(word));
  return [...own, ...operands.filter((word, at) => at === 0 || SCRIPT.test(word))];
}

/** Undefined for what lies outside. */
function patternOf(path: string, root: AbsolutePath): string | undefined {
  const inside = relative(root, resolve(root, path));
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside))
    return undefined;
  if (/[\r\n]/.test(inside)) return undefined;
  return `/${inside
    .split(sep)
    .join('/')
    .replace(/[\\*?[\]!#]/g, '\\$&')
    .replace(/ $/, '\\ ')}`;
}
