import type { SlashCommand } from '#protocol/panel-state';

/** What the text before the caret asks to be completed. */
export type Wish =
  | { readonly kind: 'mention'; readonly from: number; readonly query: string }
  | { readonly kind: 'slash'; readonly from: number; readonly query: string };

/** `@` at the beginning of a word, or `/` at the beginning of everything. */
export function wishAt(text: string, caret: number): Wish | undefined {
  const before = text.slice(0, caret);
  const slash = /^\/([^\n/]*)$/.exec(before);
  if (slash) return { kind: 'slash', from: 0, query: slash[1] ?? '' };
  const mention = /(?:^|[\s([{"'`,;])@([^\s@]{0,200})$/.exec(before);
  if (!mention) return undefined;
  const query = mention[1] ?? '';
  return { kind: 'mention', from: caret - query.length - 1, query };
}

/** Commands whose name begins as typed come first, then those that contain it. */
export function matchingCommands(commands: readonly SlashCommand[], query: string): readonly SlashCommand[] {
  const typed = query.trimEnd().toLowerCase();
  const begins = commands.filter((command) => command.name.toLowerCase().startsWith(typed));
  const contains = commands.filter(
    (command) => !begins.includes(command) && command.name.toLowerCase().includes(typed),
  );
  return [...begins, ...contains];
}

/** The text with the wish replaced, and where the caret goes. */
export function completed(
  text: string,
  wish: Wish,
  caret: number,
  word: string,
): { readonly text: string; readonly caret: number } {
  const after = text.slice(caret);
  const space = after.startsWith(' ') ? '' : ' ';
  return { text: `${text.slice(0, wish.from)}${word}${space}${after}`, caret: wish.from + word.length + 1 };
}

/** Splits a path for two columns, and the matched positions with it. */
export function pathColumns(
  path: string,
  positions: readonly number[],
): {
  readonly name: string;
  readonly folder: string;
  readonly inName: ReadonlySet<number>;
  readonly inFolder: ReadonlySet<number>;
} {
  const cut = path.lastIndexOf('/') + 1;
  return {
    name: path.slice(cut),
    folder: path.slice(0, Math.max(0, cut - 1)),
    inName: new Set(positions.filter((position) => position >= cut).map((position) => position - cut)),
    inFolder: new Set(positions.filter((position) => position < cut - 1)),
  };
}
