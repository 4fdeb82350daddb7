import type { Node } from 'jsonc-parser';
import { commonEnds } from '#base/text';

/** A piece of a file that gives way to another. End exclusive. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/** How texts are written in a file. */
interface Style {
  readonly json: string;
  /** Everything beyond ASCII is escaped. */
  readonly isAscii: boolean;
}

/** What to replace in a notebook's JSON so that the source at `node` reads `wanted`: nothing but what differs. */
export function sourceSplices(json: string, node: Node, wanted: string): readonly Splice[] {
  const style = { json, isAscii: !/[^\0-\x7f]/.test(json) && /\\u[\da-f]{4}/i.test(json) };
  if (node.type === 'string') return [stringSplice(style, node, wanted)];
  const old = node.children ?? [];
  const lines = wanted.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const { head, tail } = commonEnds(
    old.map(({ value }) => String(value)),
    lines,
  );
  const changed = old.slice(head, old.length - tail);
  const by = lines.slice(head, lines.length - tail);
  if (changed.length === by.length)
    return changed.map((child, index) => stringSplice(style, child, by[index] ?? ''));
  const written = by.map((line) => literalOf(line, style));
  return [itemsSplice({ style, node, old, head, tail }, written)];
}

/** Of a text only the characters that differ are written; those around them keep the escapes that they have. */
function stringSplice(style: Style, node: Node, wanted: string): Splice {
  const old = String(node.value);
  const starts = characterStarts(style.json.slice(node.offset, node.offset + node.length));
  const { head, tail } = commonEnds(old, wanted);
  const place = (character: number) => node.offset + (starts[character] ?? node.length - 1);
  return {
    start: place(head),
    end: place(old.length - tail),
    by: literalOf(wanted.slice(head, wanted.length - tail), style).slice(1, -1),
  };
}

/** Where each UTF-16 unit of a JSON text begins in its literal; the last is where the closing quote stands. */
function characterStarts(literal: string): readonly number[] {
  const starts: number[] = [];
  let at = 1;
  while (at < literal.length - 1) {
    starts.push(at);
    if (literal[at] !== '\\') at += 1;
    else at += literal[at + 1] === 'u' ? 6 : 2;
  }
  return [...starts, literal.length - 1];
}

interface Items {
  readonly style: Style;
  readonly node: Node;
  readonly old: readonly Node[];
  /** Items at both ends that stay. */
  readonly head: number;
  readonly tail: number;
}

/** Another number of lines: items are written anew between those that stay, with the white space that the list has. */
function itemsSplice(items: Items, written: readonly string[]): Splice {
  const { node, old, head, tail } = items;
  const end = (child: Node) => child.offset + child.length;
  const { open, between, close } = spacesOf(items);
  const [first, last] = [old[head], old[old.length - tail - 1]];
  const [before, after] = [old[head - 1], old[old.length - tail]];
  const text = written.join(between);
  if (written.length > 0 && first && last && head < old.length - tail)
    return { start: first.offset, end: end(last), by: text };
  if (written.length > 0 && before) return { start: end(before), end: end(before), by: between + text };
  if (written.length > 0 && after) return { start: after.offset, end: after.offset, by: text + between };
  if (written.length > 0)
    return { start: node.offset, end: node.offset + node.length, by: `[${open}${text}${close}]` };
  if (before && last) return { start: end(before), end: end(last), by: '' };
  if (first && after) return { start: first.offset, end: after.offset, by: '' };
  return { start: node.offset, end: node.offset + node.length, by: '[]' };
}

/** The white space behind `[`, between two items and before `]`: as the list has it, else as such a list would. */
function spacesOf({ style: { json }, node, old }: Items) {
  const [first, second] = old;
  const last = old.at(-1);
  if (first && last) {
    const open = json.slice(node.offset + 1, first.offset);
    const between = second ? json.slice(first.offset + first.length, second.offset) : `,${open}`;
    return { open, between, close: json.slice(last.offset + last.length, node.offset + node.length - 1) };
  }
  const lineEnd = /\r?\n/.exec(json)?.[0];
  if (lineEnd === undefined) return { open: '', between: ',', close: '' };
  const line = json.slice(json.lastIndexOf('\n', node.offset) + 1, node.offset);
  const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
  const unit = /\n([ \t]+)/.exec(json)?.[1] ?? '';
  const open = `${lineEnd}${indent}${unit}`;
  return { open, between: `,${open}`, close: `${lineEnd}${indent}` };
}

function literalOf(text: string, { isAscii }: Style): string {
  const json = JSON.stringify(text);
  if (!isAscii) return json;
  return json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
