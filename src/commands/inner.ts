import type { ShellKind } from './shell-words';

/** What a command runs besides itself: words of its own, or a script in some shell. */
export type Inner =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | {
      readonly kind: 'script';
      readonly script: string;
      readonly shell: ShellKind;
      /** `$0`, `$1` and so on of the script, where they stand on the line. */
      readonly args?: readonly string[];
    };

/** Stands among the words of an `Inner` for what is only known when it runs: the input of xargs, a file that find finds. */
export const FILLED = '{}';

/** A word with what is known to come in the place of `FILLED`. */
export function fillIn(word: string, given: readonly string[]): readonly string[] {
  return word === FILLED ? given : [word.replaceAll(FILLED, () => given.join(' '))];
}

/** The name by which a command is known: without its folder and a Windows suffix. */
export function commandName(word: string): string {
  const name = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);
  if (!/[=.]/.test(name)) return name;
  // zsh finds `=rm` in PATH.
  return name.replace(/^=(?=\w)/, '').replace(/\.(exe|com|cmd|bat)$/i, '');
}
