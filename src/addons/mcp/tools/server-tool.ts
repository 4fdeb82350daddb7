import * as z from 'zod';
import { t } from '#base/l10n';
import { revealInvisible, truncate } from '#base/text';

/** One tool as its server tells of it, checked for its form alone: what it says is still the server's word. */
export interface ServerTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
  /** Hints of the server about itself: they lower no risk. */
  readonly annotations?: unknown;
}

/** A tool that no model can be told of, and why in words for people. */
export interface BrokenTool {
  /** As much of its name as there is. */
  readonly name: string;
  readonly why: string;
}

/** A server's list, read piece by piece. */
export interface ReadTools {
  readonly tools: readonly ServerTool[];
  readonly broken: readonly BrokenTool[];
}

const LONGEST_NAME = 1000;
/** In UTF-16 units of JSON. A model could hold no more than a few of these. */
const LONGEST_TOOL = 256 * 1024;
const LONGEST_ALL = 8 * 1024 * 1024;
/** Lists and objects within each other. What people write ends long before. */
const DEEPEST = 100;

const toolSchema = z.object({
  name: z.string().min(1).max(LONGEST_NAME),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: z.unknown().optional(),
  outputSchema: z.unknown().optional(),
  annotations: z.unknown().optional(),
});

/** Reads what a server lists. One that can't be used costs itself alone; of two with one name the first counts. */
export function readTools(listed: readonly unknown[]): ReadTools {
  const tools = new Map<string, ServerTool>();
  const broken: BrokenTool[] = [];
  let length = 0;
  for (const raw of listed) {
    const name = nameOf(raw);
    const tool = readTool(raw);
    if (typeof tool === 'string') broken.push({ name, why: tool });
    else if (tools.has(tool.name))
      broken.push({ name, why: t('the server lists another tool by this name before it') });
    else if (length + tool.length > LONGEST_ALL)
      broken.push({ name, why: t('the tools before it take up all of the {0} MB that a server’s may', 8) });
    else {
      tools.set(tool.name, tool.tool);
      length += tool.length;
    }
  }
  return { tools: [...tools.values()], broken };
}

function readTool(
  raw: unknown,
): { readonly name: string; readonly tool: ServerTool; readonly length: number } | string {
  const parsed = toolSchema.safeParse(raw);
  if (!parsed.success) return t('it has no name, or one of more than {0} characters', LONGEST_NAME);
  const { name, title, description = '', ...rest } = parsed.data;
  if (isDeeper(parsed.data, DEEPEST)) return t('it is nested more than {0} levels deep', DEEPEST);
  const tool: ServerTool = {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema: rest.inputSchema,
    ...(rest.outputSchema === undefined ? {} : { outputSchema: rest.outputSchema }),
    ...(rest.annotations === undefined ? {} : { annotations: rest.annotations }),
  };
  const { length } = JSON.stringify(tool);
  return length > LONGEST_TOOL
    ? t('it takes {0} characters to describe it; {1} is the most', length, LONGEST_TOOL)
    : { name, tool, length };
}

/** Level by level, so that no depth overflows the stack. */
function isDeeper(value: unknown, most: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}

function nameOf(raw: unknown): string {
  const named = z.object({ name: z.string() }).safeParse(raw);
  return truncate(revealInvisible(named.success ? named.data.name : ''), 100);
}
