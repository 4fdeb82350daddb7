import { config, t as translate } from '@vscode/l10n';

/** A bundle as the editor reads it: translations by their English words. */
export type Words = Readonly<Record<string, string>>;

type Argument = string | number | boolean;

/** Most translated texts whose English words are remembered; the oldest are forgotten. */
const REMEMBERED = 10_000;

/** What translated texts say in English; stays empty while people read English. */
const english = new Map<string, string>();
let isTranslating = false;

/** From here on `t` speaks by this bundle. Called once, before anything is shown; without a bundle everything stays English. */
export function loadWords(bundle: Words): void {
  config({ contents: bundle });
  isTranslating = true;
}

/** Words for people, in English; `{0}` placeholders are filled from `args`. The editor's bundle may translate them. */
export function t(message: string, ...args: readonly Argument[]): string {
  const text = translate(message, ...args);
  if (isTranslating) remember(text, filled(message, args));
  return text;
}

/** "1 file", "3 files": both forms are messages of their own, with `{0}` for the number. */
export function counted(n: number, one: string, many: string): string {
  return t(n === 1 ? one : many, n);
}

/**
 * The English words of what `t` made: models are spoken to in English, also where a sentence holds a reason that a person reads too.
 * A text that isn't from `t`, or wasn't translated, stays as it is.
 */
export function inEnglish(text: string): string {
  return english.get(text) ?? text;
}

function remember(text: string, words: string): void {
  // What is said again is young again.
  english.delete(text);
  if (text === words) return;
  english.set(text, words);
  const [oldest] = english.keys();
  if (english.size > REMEMBERED && oldest !== undefined) english.delete(oldest);
}

function filled(message: string, args: readonly Argument[]): string {
  return message.replace(/\{(\d+)\}/g, (all, index: string) => {
    const value = args[Number(index)];
    return value === undefined ? all : typeof value === 'string' ? inEnglish(value) : String(value);
  });
}
