import { isAbsolute, relative, resolve, sep } from 'node:path';
import { isRecord } from '#tools/schema';

/** A call as hook scripts know it: Claude Code's names for the tool and its arguments. */
export interface WireCall {
  readonly name: string;
  /** All names that matchers may mean it by. */
  readonly names: readonly string[];
  readonly input: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** One row of the table: a tool of Belay's and what it is called elsewhere. */
interface Row {
  readonly wire: string;
  /** Belay's field → the other's. A field that is missing here is Belay's own and handed on under its own name. */
  readonly fields: Readonly<Record<string, string>>;
  /** Relative here, absolute there. */
  readonly path?: string;
  /** Kept from the model's call when a hook's input leaves it out: scripts needn't know that Belay wants it. */
  readonly kept?: readonly string[];
}

const EDIT: Readonly<Record<string, string>> = {
  oldText: 'old_string',
  newText: 'new_string',
  replaceAll: 'replace_all',
};

/** Tools that aren't listed, `mcp__…` among them, have the same name and arguments on both sides. */
export const WIRE_TOOLS: Readonly<Record<string, Row>> = {
  run_command: {
    wire: 'Bash',
    fields: { command: 'command', description: 'description', timeoutMs: 'timeout' },
    kept: ['description'],
  },
  start_command: {
    wire: 'Bash',
    fields: { command: 'command', description: 'description' },
    kept: ['description', 'pty'],
  },
  // What is typed into a shell is a command too: a guard of Bash shall hear of it.
  command_input: { wire: 'Bash', fields: { text: 'command' } },
  read_file: {
    wire: 'Read',
    fields: { path: 'file_path', offset: 'offset', limit: 'limit' },
    path: 'path',
  },
  edit_file: { wire: 'Edit', fields: { path: 'file_path', ...EDIT, edits: 'edits' }, path: 'path' },
  write_file: { wire: 'Write', fields: { path: 'file_path', content: 'content' }, path: 'path' },
  search_files: {
    wire: 'Grep',
    fields: {
      pattern: 'pattern',
      path: 'path',
      glob: 'glob',
      type: 'type',
      mode: 'output_mode',
      before: '-B',
      after: '-A',
      context: '-C',
      ignoreCase: '-i',
      multiline: 'multiline',
      limit: 'head_limit',
    },
    path: 'path',
  },
  glob_files: { wire: 'Glob', fields: { pattern: 'pattern', path: 'path' }, path: 'path' },
  todo_write: { wire: 'TodoWrite', fields: { todos: 'todos' } },
};

/** How a hook script sees this call. `input` is the arguments as they came; `root` the workspace folder. */
export function toWire(tool: string, input: unknown, root: string): WireCall {
  const row = WIRE_TOOLS[tool];
  if (!row || !isRecord(input)) return { name: row?.wire ?? tool, names: namesOf(tool, row), input };
  const renamed = Object.entries(input).map(([key, value]) => [
    row.fields[key] ?? key,
    key === row.path && typeof value === 'string'
      ? resolve(root, value)
      : key === 'edits'
        ? eachEdit(value, EDIT)
        : value,
  ]);
  const several = tool === 'edit_file' && input['edits'] !== undefined;
  const names = namesOf(tool, row);
  return {
    name: several ? 'MultiEdit' : row.wire,
    // A guard of Edit means every edit.
    names: several ? ['MultiEdit', ...names] : names,
    input: Object.fromEntries(renamed),
  };
}

/** The arguments that a hook's `updatedInput` stands for. It replaces what its side knows; Belay's own fields stay unless it names them. */
export function fromWire(tool: string, updated: Fields, original: unknown, root: string): Fields {
  const row = WIRE_TOOLS[tool];
  if (!row) return updated;
  const own = new Map(Object.entries(row.fields).map(([ours, theirs]) => [theirs, ours]));
  const given = Object.entries(updated).map(([key, value]) => {
    const name = own.get(key) ?? key;
    if (name === row.path && typeof value === 'string') return [name, withinRoot(value, root)] as const;
    return [name, name === 'edits' ? eachEdit(value, inverted(EDIT)) : value] as const;
  });
  const kept = Object.entries(isRecord(original) ? original : {}).filter(
    ([key]) => !(key in row.fields) || row.kept?.includes(key),
  );
  return Object.fromEntries([...kept, ...given]);
}

function namesOf(tool: string, row: Row | undefined): readonly string[] {
  return row ? [row.wire, tool] : [tool];
}

function eachEdit(edits: unknown, names: Readonly<Record<string, string>>): unknown {
  if (!Array.isArray(edits)) return edits;
  return edits.map((edit: unknown) =>
    isRecord(edit)
      ? Object.fromEntries(Object.entries(edit).map(([key, value]) => [names[key] ?? key, value]))
      : edit,
  );
}

function inverted(names: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(names).map(([ours, theirs]) => [theirs, ours]));
}

/** Relative where it lies inside; what lies outside stays as it is, and the tool refuses it. */
function withinRoot(path: string, root: string): string {
  if (!isAbsolute(path)) return path;
  const inside = relative(root, path);
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? path : inside || '.';
}
