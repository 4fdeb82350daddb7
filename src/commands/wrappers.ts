import type { ShellKind } from './shell-words';
import { SHELLS, WRAPPERS, type Wrapper } from './wrapper-table';

/** What a wrapper runs: words of its own, or a script in some shell. */
export type Inner =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'script'; readonly script: string; readonly shell: ShellKind };

/** The name by which a command is known: without its folder and a Windows suffix. */
export function commandName(word: string): string {
  const name = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);
  // zsh finds `=rm` in PATH.
  return name.replace(/^=(?=\w)/, '').replace(/\.(exe|com|cmd|bat)$/i, '');
}

/** What the words would run besides their own head. Words may hold the marks of expansion.ts. */
export function innerCommands(words: readonly string[]): readonly Inner[] {
  const name = commandName(words[0] ?? '');
  const shell = SHELLS[name.toLowerCase()];
  if (shell !== undefined) return inlineScript(words, shell);
  switch (name) {
    case 'find':
    case 'gfind':
      return findActions(words);
    case 'fd':
    case 'fdfind':
      return afterAny(words, ['-x', '--exec', '-X', '--exec-batch']);
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
  const end = name === 'parallel' ? inner.findIndex((word) => /^:{3,4}\+?$/.test(word)) : -1;
  return [{ kind: 'words', words: end < 0 ? inner : inner.slice(0, end) }];
}

/** True for a shell that would read its script from stdin: no `-c`, no file. */
export function readsStdin(words: readonly string[]): ShellKind | undefined {
  const shell = SHELLS[commandName(words[0] ?? '').toLowerCase()];
  if (shell === undefined) return undefined;
  const { command, rest } = shellOptions(words);
  return !command &&
    (rest.length === 0 ||
      /^(-|\/dev\/(stdin|fd\/0)|\/proc\/self\/fd\/0)$/.test(rest[0] ?? '') ||
      words.some((word) => /^-[a-z]*s[a-z]*$/.test(word)))
    ? shell
    : undefined;
}

function script(text: string): Inner {
  return { kind: 'script', script: text, shell: 'bash' };
}

function inlineScript(words: readonly string[], shell: ShellKind): readonly Inner[] {
  if (shell === 'cmd' || shell === 'powershell') return windowsScript(words, shell);
  const { command, rest } = shellOptions(words);
  return command && rest[0] !== undefined ? [{ kind: 'script', script: rest[0], shell }] : [];
}

function shellOptions(words: readonly string[]): {
  readonly command: boolean;
  readonly rest: readonly string[];
} {
  let command = false;
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') return { command, rest: words.slice(at + 1) };
    if (!/^[-+]./.test(word)) break;
    if (!word.startsWith('--') && word.includes('c')) command = true;
    if (/^[-+][a-zA-Z]*[oO]$/.test(word) || word === '--rcfile' || word === '--init-file') at++;
  }
  return { command, rest: words.slice(at) };
}

function windowsScript(words: readonly string[], shell: 'cmd' | 'powershell'): readonly Inner[] {
  const encoded = words.findIndex((word) => shell === 'powershell' && /^[-/]e(c|nc[a-z]*)?$/i.test(word));
  const text = words[encoded + 1];
  if (encoded > 0 && text !== undefined) {
    return [{ kind: 'script', script: Buffer.from(text, 'base64').toString('utf16le'), shell }];
  }
  const start = words.findIndex(
    (word, index) => index > 0 && (shell === 'cmd' ? /^\/[ckr]$/i : /^[-/]c/i).test(word),
  );
  const plain = words.findIndex((word, index) => index > 0 && !/^[-/]/.test(word));
  const from = start > 0 ? start + 1 : plain;
  return from > 0 ? [{ kind: 'script', script: words.slice(from).join(' '), shell }] : [];
}

function afterOptions(words: readonly string[], wrapper: Wrapper): readonly string[] {
  let at = 1;
  while (at < words.length && /^-./.test(words[at] ?? '')) {
    if (words[at] === '--') {
      at++;
      break;
    }
    at += wrapper.values?.includes(words[at] ?? '') ? 2 : 1;
  }
  if (words[at] === '-') at++;
  while (wrapper.assignments && /^[A-Za-z_]\w*=/.test(words[at] ?? '')) at++;
  return words.slice(at + (wrapper.operands ?? 0));
}

function envInner(words: readonly string[]): readonly Inner[] {
  const split = words.findIndex((word) => /^(-[a-zA-Z0-9]*S|--split-string)/.test(word));
  if (split > 0) {
    const own = (words[split] ?? '').replace(/^(-[a-zA-Z0-9]*?S|--split-string=?)/, '');
    return [script([own, ...words.slice(split + 1)].join(' '))];
  }
  return [{ kind: 'words', words: afterOptions(words, WRAPPERS['env'] ?? {}) }];
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

function afterAny(words: readonly string[], marks: readonly string[]): readonly Inner[] {
  const at = words.findIndex((word) => marks.includes(word));
  return at > 0 ? [{ kind: 'words', words: words.slice(at + 1) }] : [];
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
