import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { t } from '#base/l10n';

/** A value of a file that people write, with its place. */
export interface JsonValue {
  readonly kind: 'object' | 'array' | 'string' | 'other';
  /** From 1. */
  readonly line: number;
  readonly value: unknown;
  /** The items of a list; empty for everything else. */
  readonly items: readonly JsonValue[];
  /** Keys and values of an object, in the order written; empty for everything else. */
  readonly entries: readonly (readonly [key: string, value: JsonValue])[];
  /** All values under that key, since a key may stand twice: what guards must not be lost to its namesake. */
  get(key: string): readonly JsonValue[];
}

/** JSON with comments, read as far as it can be. `problems` is empty where all of it could. */
export interface ReadJson {
  readonly root: JsonValue | undefined;
  readonly problems: readonly { readonly line: number; readonly words: string }[];
}

/** Never throws: what can't be read is a problem with its line. */
export function readJson(text: string): ReadJson {
  const lineAt = lineFinder(text);
  const errors: ParseError[] = [];
  try {
    const node = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
    const problems = errors.map(({ error, offset }) => ({
      line: lineAt(offset),
      words: t('it is not JSON here ({0})', printParseErrorCode(error)),
    }));
    return { root: node && located(node, lineAt), problems };
  } catch {
    // The parser calls itself for each level: an absurdly deep file overflows the stack.
    return { root: undefined, problems: [{ line: 1, words: t('it is nested too deeply') }] };
  }
}

function located(node: Node, lineAt: (offset: number) => number): JsonValue {
  return {
    kind: kindOf(node),
    line: lineAt(node.offset),
    get value() {
      return getNodeValue(node);
    },
    get items() {
      return node.type === 'array' ? (node.children ?? []).map((item) => located(item, lineAt)) : [];
    },
    get entries() {
      if (node.type !== 'object') return [];
      return (node.children ?? []).flatMap(({ children }) => {
        const [name, value] = children ?? [];
        return typeof name?.value === 'string' && value
          ? [[name.value, located(value, lineAt)] as const]
          : [];
      });
    },
    get(key) {
      return this.entries.flatMap(([name, value]) => (name === key ? [value] : []));
    },
  };
}

function kindOf({ type }: Node): JsonValue['kind'] {
  return type === 'object' || type === 'array' || type === 'string' ? type : 'other';
}

/** Line of an offset, from 1, found by halves: a file may hold thousands of rules. */
function lineFinder(text: string): (offset: number) => number {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= [...text.matchAll(/\n/g)].map(({ index }) => index + 1);
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
