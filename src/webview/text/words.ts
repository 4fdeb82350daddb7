/** Translations by their English words, as VS Code keeps them in `l10n/bundle.l10n.*.json`. */
export type Words = Readonly<Record<string, string>>;

let words: Words = {};

/** Called once, before anything is drawn. */
export function loadWords(bundle: Words): void {
  words = bundle;
}

/** Words for people, in English; `{0}` placeholders are filled from `args`. The bundle may translate them. */
export function t(message: string, ...args: readonly (string | number)[]): string {
  return (words[message] ?? message).replace(/\{(\d+)\}/g, (all, index: string) =>
    String(args[Number(index)] ?? all),
  );
}

/** "1 file", "3 files": both forms are messages of their own, with `{0}` for the number. */
export function counted(n: number, one: string, many: string): string {
  return t(n === 1 ? one : many, n);
}
