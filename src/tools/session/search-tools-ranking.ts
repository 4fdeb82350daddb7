import type { ToolDefinition } from '#tools/tool';
import { indexed, queryWords } from './search-tools-words';

/** A tool that a query found. */
export interface RankedTool {
  readonly tool: ToolDefinition;
  readonly score: number;
}

/** Falling: what a tool is called says more of it than what is said about it. */
const WEIGHTS = { name: 16, aliases: 12, tags: 8, searchHint: 5, description: 3 } as const;

/** How well a word fits: it is there as it is, a word begins with it, a word has it inside. */
const WHOLE = 1;
const BEGINNING = 0.8;
const INSIDE = 0.4;

/** Most aliases or tags of a tool that are looked at, and characters of them all. */
const MOST = 64;
const LONGEST = 2000;

/** A field's words with blanks around each, and its weight. */
type Field = readonly [weight: number, words: string];

/** What a tool is found by: its fields, and all their words, in which most words of most queries aren't. */
interface Entry {
  readonly fields: readonly Field[];
  readonly all: string;
}

const known = new WeakMap<ToolDefinition, Entry>();

/**
 * The tools that a query fits, the best first, ties by name: the same tools and query give the same order. Each word counts once,
 * where it weighs most. Nothing leaves the machine, and what a tool says of itself costs a bounded time.
 */
export function rankTools(tools: readonly ToolDefinition[], query: string): readonly RankedTool[] {
  const words = queryWords(query);
  return tools
    .map((tool) => ({ tool, score: scoreOf(entryOf(tool), words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1));
}

function scoreOf({ fields, all }: Entry, words: readonly string[]): number {
  let sum = 0;
  for (const word of words) {
    if (!all.includes(word) && !all.includes(singular(word))) continue;
    let best = 0;
    for (const [weight, text] of fields) {
      // Fields come with falling weights: no later one can do better than whole.
      if (weight <= best) break;
      best = Math.max(best, weight * fitOf(text, word));
    }
    sum += best;
  }
  return sum;
}

function fitOf(text: string, word: string): number {
  if (text.includes(` ${word} `)) return WHOLE;
  const one = singular(word);
  if (one !== word && text.includes(` ${one} `)) return BEGINNING;
  const isSign = word.charCodeAt(0) > 0x7f;
  if ((word.length > 1 || isSign) && text.includes(` ${word}`)) return BEGINNING;
  return (word.length > 2 || isSign) && text.includes(word) ? INSIDE : 0;
}

/** Of many things and of one: "issues" finds "issue". */
function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word;
}

function entryOf(tool: ToolDefinition): Entry {
  const entry = known.get(tool) ?? read(tool);
  known.set(tool, entry);
  return entry;
}

/** Others' tools may hold anything in any place. */
function read({ name, description, searchMetadata }: ToolDefinition): Entry {
  const said: readonly (readonly [number, unknown])[] = [
    [WEIGHTS.name, name],
    [WEIGHTS.aliases, searchMetadata?.aliases],
    [WEIGHTS.tags, searchMetadata?.tags],
    [WEIGHTS.searchHint, searchMetadata?.searchHint],
    [WEIGHTS.description, description],
  ];
  const fields = said.flatMap(([weight, value]): readonly Field[] => {
    const text = textOf(value);
    return text === '' ? [] : [[weight, indexed(text)]];
  });
  return { fields, all: fields.map(([, words]) => words).join('') };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  const strings = value.slice(0, MOST).filter((each: unknown) => typeof each === 'string');
  return strings
    .map((each) => each.slice(0, LONGEST))
    .join(' ')
    .slice(0, LONGEST);
}
