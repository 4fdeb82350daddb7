import { z } from 'zod';
import { canonicalJson, sha256 } from '#base/hash';
import type { TextRange } from '#host/language/answer';
import type { CodeAction, CodeActions } from '#host/language/edits';
import { rejected } from '#tools/refusal';
import { splitLines } from '#tools/text-file';
import type { ToolPorts } from '#tools/tool';
import { known } from './answer-words';
import { type AskedFile, askedFile } from './asked-file';
import { askedPlace } from './asked-place';

/** The fields by which a tool's input names a stretch of a file. */
export const rangeFields = {
  path: z.string().min(1).describe('Relative to the workspace folder'),
  line: z.number().int().min(1),
  endLine: z.number().int().min(1).optional().describe('Last line; line when absent'),
  symbol: z.string().min(1).max(500).optional().describe('Only that name in the line'),
  column: z.number().int().min(1).optional().describe('1-based; the whole lines when absent'),
  endColumn: z.number().int().min(1).optional().describe('Behind the last character that is meant'),
  kind: z.string().min(1).max(100).optional().describe('Only these: quickfix, refactor, source'),
} as const;

/** What those fields parse to. */
export interface RangeInput {
  readonly path: string;
  readonly line: number;
  readonly endLine?: number | undefined;
  readonly symbol?: string | undefined;
  readonly column?: number | undefined;
  readonly endColumn?: number | undefined;
  readonly kind?: string | undefined;
}

/** An action as it was listed: the same id is the same edit. */
export interface ListedAction {
  readonly id: string;
  readonly action: CodeAction;
}

/** Asks what servers offer there. */
export async function listActions(
  tool: string,
  input: RangeInput,
  ports: ToolPorts,
  signal: AbortSignal,
): Promise<CodeActions & { readonly asked: AskedFile; readonly listed: readonly ListedAction[] }> {
  const { asked, range } = await askedRange(tool, input, ports);
  const found = known(tool, await ports.intelligence.actions(asked.file, range, input.kind, signal));
  const { root } = ports.workspace;
  return { ...found, asked, listed: found.actions.map((action) => ({ id: idOf(action, root), action })) };
}

/** Finds the stretch that is meant, inside the file as it is. */
export async function askedRange(
  tool: string,
  input: RangeInput,
  ports: ToolPorts,
): Promise<{ readonly asked: AskedFile; readonly range: TextRange }> {
  const { line, endLine = line, symbol, column, endColumn } = input;
  if (symbol !== undefined) {
    const { at, ...asked } = await askedPlace(tool, { path: input.path, line, symbol, column }, ports);
    const end = { ...at.position, column: at.position.column + symbol.length };
    return { asked, range: { start: at.position, end } };
  }
  const asked = await askedFile(tool, input.path, ports);
  const lines = splitLines(asked.file.text);
  const last = lines[endLine - 1];
  if (endLine < line || last === undefined)
    throw rejected(
      tool,
      `${input.path} has lines 1 to ${lines.length}; give a line and an endLine among them`,
    );
  const start = { line: line - 1, column: (column ?? 1) - 1 };
  const end = { line: endLine - 1, column: endColumn === undefined ? last.length : endColumn - 1 };
  if (start.line === end.line && end.column < start.column)
    throw rejected(tool, 'endColumn is before column');
  return { asked, range: { start, end } };
}

/** Short enough to be repeated, long enough for the handful that is offered at one place. */
function idOf({ title, kind, edit }: CodeAction, root: string): string {
  return sha256(canonicalJson([title, kind, edit]).replaceAll(root, '')).slice(0, 8);
}
