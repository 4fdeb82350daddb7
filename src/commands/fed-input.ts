import { commandName } from './inner';
import { printedText } from './printed';
import type { CommandStep, ShellWord, SimpleCommand } from './shell-words';

/** What a command gets on its stdin, as far as the line tells. */
export interface FedText {
  readonly text: string;
  /** Nothing stands between that text and the command that could change it. */
  readonly isSure: boolean;
}

/** The words of a command as far as they are known; undefined where one isn't. */
export type WordsOf = (command: SimpleCommand) => readonly string[] | undefined;

/** The text of its here-document, of the one before the pipe, or what `echo` and `printf` print there. */
export function fedText({ command, input }: CommandStep, wordsOf: WordsOf): FedText | undefined {
  const own = bodyOf(command);
  if (own !== undefined) return { text: own, isSure: true };
  if (input === undefined) return undefined;
  const [head = '', ...rest] = wordsOf(input) ?? [];
  const name = commandName(head);
  const piped = bodyOf(input);
  if (piped !== undefined) return { text: piped, isSure: name === 'cat' && rest.length === 0 };
  if (!/^(echo|printf)$/.test(name) || rest.length === 0) return undefined;
  return { text: printedText(name, rest), isSure: true };
}

/** The body of a command's here-document or here-string, its word read by `read` where one is given. */
export function bodyOf(command: SimpleCommand, read?: (word: ShellWord) => string): string | undefined {
  const found = command.redirects.find((redirect) => redirect.body !== undefined);
  return read && found?.word ? read(found.word) : found?.body;
}

/** What xargs or parallel puts in for its mark: the words that `echo` and `printf` print, or where find looks. */
export function fedWords(step: CommandStep, wordsOf: WordsOf): readonly string[] {
  const [head = '', ...rest] = (step.input && wordsOf(step.input)) ?? [];
  if (commandName(head) === 'find') {
    const end = rest.findIndex((word) => /^[-(!]/.test(word));
    return rest.slice(0, end < 0 ? undefined : end);
  }
  const fed = fedText(step, wordsOf);
  return fed === undefined ? [] : fed.text.split(/\s+/).filter((word) => word !== '');
}
