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
const IN_FILE = '(?:in|inside|within)\\s+';

const READ = rule(`(?:read|show|open|cat|view|print)(?:\\s+me)?\\s+${FILE}${NAME}`);
const SEARCH_IN = rule(
  `(?:search|find|grep|look)(?:\\s+for)?\\s+${PHRASE}\\s+${IN_FILE}(?:the\\s+)?(?:file\\s+|folder\\s+)?${NAME}`,
);
const SEARCH = rule(`(?:search|find|grep|look)(?:\\s+for)?\\s+${PHRASE}`);
const REPLACE = rule(
  `(?:replace|change)\\s+((?:all|every|each)\\s+)?${PHRASE}\\s+(?:with|by|to|into)\\s+${PHRASE}\\s+${IN_FILE}${FILE}${NAME}`,
);
const CREATE_WITH = rule(
  `(?:create|write|make|add)\\s+(?:a\\s+)?${FILE}${NAME}\\s*(?:,\\s*)?(?:\\s(?:with|containing)(?:\\s+(?:the\\s+)?(?:content|contents|text))?|:)\\s*:?\\s*${REST}`,
);
const CREATE = rule(`(?:create|write|make|add)\\s+(?:a\\s+)?(?:an\\s+)?(?:empty\\s+)?${FILE}${NAME}`);
const RENAME = rule(`(?:rename|move)\\s+${FILE}${NAME}\\s+(?:to|into|as)\\s+${NAME}`);
const DELETE = rule(`(?:delete|remove)\\s+${FILE}${NAME}`);
const RUN = rule(`(?:run|execute)(?:\\s+the\\s+command)?\\s+${PHRASE}`);

function parse(line: string): Instruction | undefined {
  const text = line
    .trim()
    .replace(/^(?:[-*•]|\d+[.)])\s+/, '')
    .replace(/^(?:please|now|then|can you|could you)[\s,]+/i, '');
  const replace = REPLACE.exec(text);
  if (replace) {
    const [, all, from, to, path] = replace;
    return { kind: 'replace', from: bare(from), to: bare(to), path: pathOf(path), all: all !== undefined };
  }
  const rename = RENAME.exec(text);
  if (rename) return { kind: 'rename', from: pathOf(rename[1]), to: pathOf(rename[2]) };
  const filled = CREATE_WITH.exec(text);
  if (filled) return { kind: 'create', path: pathOf(filled[1]), content: contentOf(filled[2]) };
  const empty = CREATE.exec(text);
  if (empty) return { kind: 'create', path: pathOf(empty[1]), content: '' };
  const within = SEARCH_IN.exec(text);
  if (within) return { kind: 'search', text: bare(within[1]), path: pathOf(within[2]) };
  return short(text);
}

function short(text: string): Instruction | undefined {
  const read = READ.exec(text);
  if (read) return { kind: 'read', path: pathOf(read[1]) };
  const search = SEARCH.exec(text);
  if (search) return { kind: 'search', text: bare(search[1]) };
  const gone = DELETE.exec(text);
  if (gone) return { kind: 'delete', path: pathOf(gone[1]) };
  const run = RUN.exec(text);
  return run ? { kind: 'run', command: commandOf(bare(run[1])) } : undefined;
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
