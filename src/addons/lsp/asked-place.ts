import { z } from 'zod';
import { count } from '#base/text';
import type { FilePlace } from '#host/language/answer';
import { showPath } from '#tools/paths';
import { rejected } from '#tools/refusal';
import { splitLines } from '#tools/text-file';
import type { ToolPorts } from '#tools/tool';
import { type AskedFile, askedFile } from './asked-file';

/** The fields by which a tool's input names one place of a file. */
export const placeFields = {
  path: z.string().min(1).describe('Relative to the workspace folder'),
  line: z.number().int().min(1).describe('As read_file numbers it'),
  symbol: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('The name as it stands in that line, once; instead of column'),
  column: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe('1-based; where symbol stands several times in the line'),
} as const;

/** What those fields parse to. */
export interface PlaceInput {
  readonly path: string;
  readonly line: number;
  readonly symbol?: string | undefined;
  readonly column?: number | undefined;
}

/** A place of a file that a server is asked about. */
export interface AskedPlace extends AskedFile {
  readonly at: FilePlace;
  /** The name that stands there; empty where there is none. */
  readonly name: string;
}

/** Other lines that are named when the symbol isn't in the one that was given. */
const TOLD = 5;
const LONGEST_NAME = 200;

/** Finds the place that is meant; an error says where the symbol does occur. */
export async function askedPlace(tool: string, input: PlaceInput, ports: ToolPorts): Promise<AskedPlace> {
  const asked = await askedFile(tool, input.path, ports);
  const { path, text } = asked.file;
  const lines = splitLines(text);
  const shown = showPath(asked.place.relative);
  const line = lines[input.line - 1];
  if (line === undefined)
    throw rejected(tool, `${shown} has ${count(lines.length, 'line')}, no line ${input.line}`);
  const column = columnIn(tool, input, { line, lines, shown });
  const position = { line: input.line - 1, column };
  return { ...asked, at: { path, text, position }, name: input.symbol ?? nameAt(line, column) };
}

/** Where a name stands in a line as a whole identifier, from 0. */
export function occurrences(line: string, name: string): readonly number[] {
  const found: number[] = [];
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    const goesOnBefore = STARTS.test(name) && ENDS.test(line.slice(Math.max(0, at - 2), at));
    const end = at + name.length;
    const goesOnAfter = ENDS.test(name) && STARTS.test(line.slice(end, end + 2));
    if (!goesOnBefore && !goesOnAfter) found.push(at);
  }
  return found;
}

const STARTS = /^[\p{L}\p{N}_$]/u;
const ENDS = /[\p{L}\p{N}_$]$/u;

/** The identifier around a column, or right before it. */
function nameAt(line: string, column: number): string {
  const before = /[\p{L}\p{N}_$]*$/u.exec(line.slice(Math.max(0, column - LONGEST_NAME), column))?.[0] ?? '';
  const after = /^[\p{L}\p{N}_$]*/u.exec(line.slice(column, column + LONGEST_NAME))?.[0] ?? '';
  return before + after;
}

interface Where {
  readonly line: string;
  readonly lines: readonly string[];
  readonly shown: string;
}

function columnIn(tool: string, { line: number, symbol, column }: PlaceInput, where: Where): number {
  const { line, lines, shown } = where;
  if (symbol === undefined && column === undefined) throw rejected(tool, 'give symbol or column');
  if (column !== undefined) {
    if (column > line.length + 1)
      throw rejected(
        tool,
        `line ${number} of ${shown} has ${count(line.length, 'column')}, no column ${column}`,
      );
    if (symbol === undefined || occurrences(line, symbol).includes(column - 1)) return column - 1;
    throw rejected(
      tool,
      `${JSON.stringify(symbol)} is not at column ${column} of line ${number}; leave column out`,
    );
  }
  const name = symbol ?? '';
  const found = occurrences(line, name);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const quoted = JSON.stringify(name);
  if (only !== undefined) {
    const columns = found.map((each) => each + 1).join(', ');
    throw rejected(
      tool,
      `${quoted} stands ${found.length} times in line ${number} of ${shown}: give column ${columns}`,
    );
  }
  const elsewhere = lines.flatMap((each, index) => (occurrences(each, name).length > 0 ? [index + 1] : []));
  const more = elsewhere.length > TOLD ? ' and more' : '';
  const words =
    elsewhere.length === 0
      ? `nowhere in ${shown}`
      : `not in line ${number} of ${shown} but in ${elsewhere.length === 1 ? 'line' : 'lines'} ${elsewhere.slice(0, TOLD).join(', ')}${more}`;
  throw rejected(tool, `${quoted} stands ${words}`);
}
