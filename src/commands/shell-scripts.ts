import { commandName, type Inner } from './inner';
import type { ShellKind } from './shell-words';
import { SHELLS } from './wrapper-table';

/** A shell that would read its script from stdin, and what its `$1` and the others would be. */
export interface FedShell {
  readonly shell: ShellKind;
  readonly args: readonly string[];
}

/** The shell that a command's name is, if it is one. */
export function shellOf(name: string): ShellKind | undefined {
  const known = name.toLowerCase();
  return Object.hasOwn(SHELLS, known) ? SHELLS[known] : undefined;
}

/** The script that stands among a shell's words, behind `-c` or its like. */
export function inlineScript(words: readonly string[], shell: ShellKind): readonly Inner[] {
  if (shell === 'cmd' || shell === 'powershell') return windowsScript(words, shell);
  const { command, rest } = shellOptions(words);
  const [script, ...args] = rest;
  return command && script !== undefined ? [{ kind: 'script', script, shell, args }] : [];
}

/** Set for a shell that would read its script from stdin: no `-c`, no file. */
export function readsStdin(words: readonly string[]): FedShell | undefined {
  const name = commandName(words[0] ?? '');
  if (/^(source|\.)$/.test(name) && STDIN.test(words[1] ?? ''))
    return { shell: 'bash', args: words.slice(2) };
  const shell = shellOf(name);
  if (shell === undefined) return undefined;
  const { command, rest } = shellOptions(words);
  if (command) return undefined;
  if (STDIN.test(rest[0] ?? '')) return { shell, args: rest.slice(1) };
  return rest.length === 0 || words.some((word) => /^-[a-z]*s[a-z]*$/.test(word))
    ? { shell, args: rest }
    : undefined;
}

const STDIN = /^(-|\/dev\/(stdin|fd\/0)|\/proc\/self\/fd\/0)$/;

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
