import { namesProgram } from '#commands/classes/variables';
import { gitInner } from './git-words';
import { commandName, FILLED, fillIn, type Inner } from './inner';
import { isOption, takesNext } from './long-options';
import { inlineScript, shellOf } from './shell-scripts';
import { WRAPPERS, type Wrapper } from './wrapper-table';

/** What the words would run besides their own head. Words may hold the marks of expansion.ts. */
export function innerCommands(words: readonly string[]): readonly Inner[] {
  const name = commandName(words[0] ?? '');
  const shell = shellOf(name);
  if (shell !== undefined) return inlineScript(words, shell);
  switch (name) {
    case 'find':
    case 'gfind':
      return findActions(words);
    case 'fd':
    case 'fdfind':
      return afterAny(words, ['-x', '--exec', '-X', '--exec-batch'], filled);
    case 'git':
      return gitInner(words.slice(1));
    case 'xargs':
      return xargs(words);
    case 'eval':
      return [script(words.slice(1).join(' '))];
    case 'alias':
      return words.slice(1).map((word) => script(word.slice(word.indexOf('=') + 1)));
    case 'trap':
      return words.length > 2 ? [script(words[words[1] === '--' ? 2 : 1] ?? '')] : [];
    case 'command':
      return words[1] !== undefined && /^-[a-zA-Z]*[vV]/.test(words[1])
        ? []
        : [{ kind: 'words', words: afterOptions(words, {}) }];
    case 'watch':
      return [script(afterOptions(words, { values: ['-n', '--interval'] }).join(' '))];
    case 'script':
      return scriptOption(words, ['-c', '--command']);
    case 'flock':
      return flock(words);
    case 'env':
      return envInner(words);
    case 'bwrap':
    case 'firejail':
    case 'proot':
    case 'entr':
      return afterAny(words, ['--']);
  }
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (wrapper === undefined) return [];
  const inner = afterOptions(words, wrapper);
  return [{ kind: 'words', words: name === 'parallel' ? parallel(inner) : inner }];
}

function script(text: string): Inner {
  return { kind: 'script', script: text, shell: 'bash' };
}

function afterOptions(words: readonly string[], wrapper: Wrapper): readonly string[] {
  let at = 1;
  while (at < words.length && /^-./.test(words[at] ?? '')) {
    if (words[at] === '--') {
      at++;
      break;
    }
    at += takesNext(words[at] ?? '', wrapper.values ?? []) ? 2 : 1;
  }
  if (words[at] === '-') at++;
  while (wrapper.assignments && /^[A-Za-z_]\w*=/.test(words[at] ?? '')) at++;
  return words.slice(at + (wrapper.operands ?? 0));
}

function envInner(words: readonly string[]): readonly Inner[] {
  const split = words.findIndex(
    (word, at) => at > 0 && (/^-[a-zA-Z0-9]*S/.test(word) || isOption(word, '--split-string')),
  );
  if (split > 0) {
    const own = (words[split] ?? '').replace(/^(-[a-zA-Z0-9]*?S|--[a-z-]+=?)/, '');
    return [script([own, ...words.slice(split + 1)].join(' '))];
  }
  const inner = afterOptions(words, WRAPPERS['env'] ?? {});
  const programs = words.slice(1, words.length - inner.length).flatMap((word) => {
    const name = /^(\w+)=/.exec(word)?.[1];
    return name !== undefined && namesProgram(name) ? [script(word.slice(name.length + 1))] : [];
  });
  return [{ kind: 'words', words: inner }, ...programs];
}

/** What it runs once for each of the values behind `:::` is looked at as if it ran for all at once. */
function parallel(inner: readonly string[]): readonly string[] {
  const end = inner.findIndex((word) => /^:{3,4}\+?$/.test(word));
  const own = filled(end < 0 ? inner : inner.slice(0, end));
  const given = end < 0 || inner.some((word) => word.startsWith('::::')) ? [] : inner.slice(end + 1);
  const values = given.filter((word) => !/^:::\+?$/.test(word));
  return values.length === 0 ? own : own.flatMap((word) => fillIn(word, values));
}

/** The words and their input behind them, or where `-I` says. */
function xargs(words: readonly string[]): readonly Inner[] {
  const inner = afterOptions(words, WRAPPERS['xargs'] ?? {});
  const own = words.slice(1, words.length - inner.length);
  const at = own.findIndex((word) => /^-[a-zA-Z0-9]*[Ii]|^--repl/.test(word));
  if (at < 0) return [{ kind: 'words', words: filled(inner) }];
  const attached = (own[at] ?? '').replace(/^(-[a-zA-Z0-9]*?[Ii]|--repl[a-z]*=?)/, '');
  const mark = attached || (/I$/.test(own[at] ?? '') && own[at + 1]) || FILLED;
  return [{ kind: 'words', words: inner.map((word) => word.replaceAll(mark, FILLED)) }];
}

/** With what is only known when it runs behind them, unless they say themselves where it goes. */
function filled(words: readonly string[]): readonly string[] {
  return words.length === 0 || words.some((word) => word.includes(FILLED)) ? words : [...words, FILLED];
}

function findActions(words: readonly string[]): readonly Inner[] {
  const found: Inner[] = [];
  words.forEach((word, index) => {
    if (!/^-(exec|ok)(dir)?$/.test(word)) return;
    const rest = words.slice(index + 1);
    const end = rest.findIndex((inner) => inner === ';' || inner === '+');
    found.push({ kind: 'words', words: end < 0 ? rest : rest.slice(0, end) });
  });
  return found;
}

function afterAny(
  words: readonly string[],
  marks: readonly string[],
  made: (rest: readonly string[]) => readonly string[] = (rest) => rest,
): readonly Inner[] {
  const at = words.findIndex((word) => marks.includes(word));
  return at > 0 ? [{ kind: 'words', words: made(words.slice(at + 1)) }] : [];
}

function scriptOption(words: readonly string[], names: readonly string[]): readonly Inner[] {
  const at = words.findIndex((word) => names.includes(word) || /^-[a-z]*c$/.test(word));
  const text = words[at + 1];
  return at > 0 && text !== undefined ? [script(text)] : [];
}

function flock(words: readonly string[]): readonly Inner[] {
  const inner = afterOptions(words, {
    values: ['-w', '--timeout', '-E', '--conflict-exit-code'],
    operands: 1,
  });
  const text = inner[1];
  if ((inner[0] === '-c' || inner[0] === '--command') && text !== undefined) return [script(text)];
  return [{ kind: 'words', words: inner }];
}
