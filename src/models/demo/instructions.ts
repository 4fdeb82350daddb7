/** A plain instruction, understood. */
export type Instruction =
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'search'; readonly text: string; readonly path?: string }
  | {
      readonly kind: 'replace';
      readonly from: string;
      readonly to: string;
      readonly path: string;
      readonly all: boolean;
    }
  | { readonly kind: 'create'; readonly path: string; readonly content: string }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'run'; readonly command: string };

/** One instruction, or one on each line; undefined when any of it isn't understood: half a task is never begun. */
export function parseInstructions(text: string): readonly Instruction[] | undefined {
  const whole = parse(text);
  if (whole) return [whole];
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const each = lines.flatMap((line) => parse(line) ?? []);
  return lines.length > 1 && each.length === lines.length ? each : undefined;
}

// A word or phrase in any quotes, or plain. What is quoted is taken as it stands, line breaks too.
const QUOTED = '```[^\\n]*\\n[\\s\\S]*?```|`[^`]+`|"[^"]*"|\'[^\']*\'|“[^”]*”|‘[^’]*’|«[^»]*»';
const NAME = `(${QUOTED}|\\S+)`;
const PHRASE = `(${QUOTED}|[^\\n]+?)`;
const REST = '([\\s\\S]+)';
const FILE = '(?:the\\s+)?(?:new\\s+)?(?:file\\s+)?';
const FIND = '(?:search|find|grep|look)(?:\\s+for)?';
const IN_FILE = '(?:in|inside|within)\\s+';

type Rule = readonly [pattern: RegExp, (...found: readonly (string | undefined)[]) => Instruction];

/** From the longest form to the shortest: the first that fits is meant. */
const RULES: readonly Rule[] = [
  [
    rule(
      `(?:replace|change)\\s+((?:all|every|each)\\s+)?${PHRASE}\\s+(?:with|by|to|into)\\s+${PHRASE}\\s+${IN_FILE}${FILE}${NAME}`,
    ),
    (all, from, to, path) => ({
      kind: 'replace',
      from: bare(from),
      to: bare(to),
      path: pathOf(path),
      all: all !== undefined,
    }),
  ],
  [
    rule(`(?:rename|move)\\s+${FILE}${NAME}\\s+(?:to|into|as)\\s+${NAME}`),
    (from, to) => ({ kind: 'rename', from: pathOf(from), to: pathOf(to) }),
  ],
  [
    rule(
      `(?:create|write|make|add)\\s+(?:a\\s+)?${FILE}${NAME}\\s*(?:,\\s*)?(?:\\s(?:with|containing)(?:\\s+(?:the\\s+)?(?:content|contents|text))?|:)\\s*:?\\s*${REST}`,
    ),
    (path, content) => ({ kind: 'create', path: pathOf(path), content: contentOf(content) }),
  ],
  [
    rule(`(?:create|write|make|add)\\s+(?:a\\s+)?(?:an\\s+)?(?:empty\\s+)?${FILE}${NAME}`),
    (path) => ({ kind: 'create', path: pathOf(path), content: '' }),
  ],
  [
    rule(`${FIND}\\s+${PHRASE}\\s+${IN_FILE}(?:the\\s+)?(?:file\\s+|folder\\s+)?${NAME}`),
    (text, path) => ({ kind: 'search', text: bare(text), path: pathOf(path) }),
  ],
  [
    rule(`(?:read|show|open|cat|view|print)(?:\\s+me)?\\s+${FILE}${NAME}`),
    (path) => ({ kind: 'read', path: pathOf(path) }),
  ],
  [rule(`${FIND}\\s+${PHRASE}`), (text) => ({ kind: 'search', text: bare(text) })],
  [rule(`(?:delete|remove)\\s+${FILE}${NAME}`), (path) => ({ kind: 'delete', path: pathOf(path) })],
  [
    rule(`(?:run|execute)(?:\\s+the\\s+command)?\\s+${PHRASE}`),
    (command) => ({ kind: 'run', command: commandOf(bare(command)) }),
  ],
  // What the panel suggests where it speaks Chinese.
  [rule(`读取\\s*${NAME}`), (path) => ({ kind: 'read', path: pathOf(path) })],
  [rule(`搜索\\s*${PHRASE}`), (text) => ({ kind: 'search', text: bare(text) })],
];

function parse(line: string): Instruction | undefined {
  const text = line
    .trim()
    .replace(/^(?:[-*•]|\d+[.)])\s+/, '')
    .replace(/^(?:please|now|then|can you|could you)[\s,]+/i, '');
  for (const [pattern, instruction] of RULES) {
    const [whole, ...found] = pattern.exec(text) ?? [];
    if (whole !== undefined) return instruction(...found);
  }
  return undefined;
}

/** "Run the tests" means the project's own. */
function commandOf(text: string): string {
  return /^(?:(?:all|the)\s+)*(?:unit\s+)?tests?[.!]?$/i.test(text) ? 'npm test' : text;
}

function rule(pattern: string): RegExp {
  return new RegExp(`^${pattern}\\s*$`, 'i');
}

/** Takes the quotes off. */
function bare(text = ''): string {
  const block = /^```[^\n]*\n([\s\S]*?)\n?```$/.exec(text);
  if (block) return block[1] ?? '';
  return /^(?:`[\s\S]*`|"[\s\S]*"|'[\s\S]*'|“[\s\S]*”|‘[\s\S]*’|«[\s\S]*»)$/.test(text) && text.length > 1
    ? text.slice(1, -1)
    : text;
}

/** A path, without the @ of a mention and without the full stop of a sentence. */
function pathOf(text = ''): string {
  const inner = bare(text);
  return inner === text ? inner.replace(/^@/, '').replace(/[.,;:!?]$/, '') : inner;
}

/** The content of a file: as quoted; a block or a plain line gets its line break at the end. */
function contentOf(text = ''): string {
  const trimmed = text.trim();
  const inner = bare(trimmed);
  if (inner !== trimmed && !trimmed.startsWith('```')) return inner;
  return inner.endsWith('\n') || inner === '' ? inner : `${inner}\n`;
}
