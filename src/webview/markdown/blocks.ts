import MarkdownIt from 'markdown-it';

/** A markdown-it token, as far as the renderer reads it. */
export interface Token {
  readonly type: string;
  readonly tag: string;
  readonly nesting: number;
  readonly content: string;
  readonly info: string;
  readonly hidden: boolean;
  readonly level: number;
  readonly map: [number, number] | null;
  readonly children: readonly Token[] | null;
  attrGet(name: string): string | null;
}

/** A top-level block: a paragraph, a list, a fence … `start` is its offset in the text. */
export interface Block {
  readonly start: number;
  readonly tokens: readonly Token[];
}

/** A text and what it was parsed to. */
export interface Blocks {
  readonly text: string;
  readonly blocks: readonly Block[];
}

// HTML stays text. Bare words like "parser.ts" are no links; addresses with a scheme are.
const markdown = new MarkdownIt('default', { html: false, linkify: true, typographer: false });
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
// Which links lead anywhere is decided when they are drawn, so that a refused one keeps its words.
markdown.validateLink = () => true;
// Addresses stay as written: nothing is fetched from them, and a person should see what they are.
markdown.normalizeLinkText = (url) => url;

/**
 * Parses a text into top-level blocks. While a reply streams, `before` is the last result: if its text is the beginning of the new one, only its
 * last block is parsed again, and the others stay the very same objects. A reference defined later is found by the last, whole parse.
 */
export function parseBlocks(source: string, before?: Blocks): Blocks {
  const text = source.replace(/\r\n?/g, '\n');
  const last = before?.blocks.at(-1);
  if (!before || !last || !text.startsWith(before.text)) return { text, blocks: blocksOf(text, 0) };
  if (text.length === before.text.length) return before;
  return { text, blocks: [...before.blocks.slice(0, -1), ...blocksOf(text.slice(last.start), last.start)] };
}

function blocksOf(text: string, offset: number): readonly Block[] {
  const lines = lineStarts(text);
  const blocks: { start: number; tokens: Token[] }[] = [];
  for (const token of markdown.parse(text, {}) as readonly Token[]) {
    const opens = token.level === 0 && token.nesting >= 0;
    if (opens) blocks.push({ start: offset + (lines[token.map?.[0] ?? 0] ?? 0), tokens: [] });
    blocks.at(-1)?.tokens.push(token);
  }
  return blocks;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
