import type { DeclaredTool, ExtensionCall } from '#host/extension-tools';

/** What an extension gave, read once. Later changes to its object are nothing to us. */
export interface ReadDefinition {
  readonly extension: string;
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
  readonly aliases: readonly string[];
  readonly tags: readonly string[];
  readonly searchHint?: string;
  readonly declared: DeclaredTool;
  readonly timeLimit: number;
  invoke(input: unknown, call: ExtensionCall): Promise<unknown>;
}

const NAME = /^[a-z][a-z0-9_]{0,39}$/;
const LONGEST_SCHEMA = 64 * 1024;
const DEFAULT_LIMIT = 300_000;

/**
 * Reads a definition of somebody else's. Throws for the author what is wrong with it. By hand, since it is part of what loads with the
 * window; getters may throw, and what isn't what it should be counts as absent only where that makes nothing looser.
 */
export function readDefinition(given: unknown): ReadDefinition {
  const tool = asObject(given, 'the tool');
  const name = text(tool['name'], 'name', 40);
  if (!NAME.test(name)) throw wrong(`name must be ${NAME.source.slice(1, -1)}`);
  const execute = tool['execute'];
  if (typeof execute !== 'function') throw wrong('execute must be a function');
  const { aliases, tags, searchHint } = asObject(tool['searchMetadata'] ?? {}, 'searchMetadata');
  return {
    extension: text(tool['extension'], 'extension', 200),
    name,
    description: text(tool['description'], 'description', 100_000),
    inputSchema: schemaCopy(tool['inputSchema']),
    aliases: words(aliases),
    tags: words(tags),
    ...(typeof searchHint === 'string' ? { searchHint: searchHint.slice(0, 1000) } : {}),
    declared: declaredIn(tool),
    timeLimit: limit(tool['timeoutMs']),
    invoke: async (input, call) => Reflect.apply(execute, given, [input, call]),
  };
}

function declaredIn(tool: Readonly<Record<string, unknown>>): DeclaredTool {
  const { risk, capabilities, concurrencySafe, touches, summarize } = tool;
  if (touches !== undefined && typeof touches !== 'function') throw wrong('touches must be a function');
  if (summarize !== undefined && typeof summarize !== 'function') throw wrong('summarize must be a function');
  return {
    risk,
    capabilities: Array.isArray(capabilities) ? [...capabilities] : capabilities,
    concurrencySafe: concurrencySafe === true,
    ...(touches ? { touches: (input: unknown): unknown => Reflect.apply(touches, tool, [input]) } : {}),
    ...(summarize ? { summarize: (input: unknown): unknown => Reflect.apply(summarize, tool, [input]) } : {}),
  };
}

/** Whether a model can be given it shows when the core is built; this much is known at once. */
function schemaCopy(given: unknown): unknown {
  if (given === undefined) return undefined;
  const json = JSON.stringify(asObject(given, 'inputSchema'));
  if (json === undefined || json.length > LONGEST_SCHEMA)
    throw wrong(`inputSchema must be JSON of at most ${LONGEST_SCHEMA} characters`);
  const schema = asObject(JSON.parse(json), 'inputSchema');
  if (schema['type'] !== 'object') throw wrong('inputSchema must describe an object ("type": "object")');
  return schema;
}

function limit(given: unknown): number {
  if (given === undefined) return DEFAULT_LIMIT;
  if (typeof given === 'number' && given >= 1000 && given <= 3_600_000) return Math.round(given);
  throw wrong('timeoutMs must be a number from 1000 to 3600000');
}

function text(given: unknown, what: string, longest: number): string {
  if (typeof given === 'string' && given.trim() !== '' && given.length <= longest) return given;
  throw wrong(`${what} must be a text of 1 to ${longest} characters`);
}

function words(given: unknown): readonly string[] {
  if (!Array.isArray(given)) return [];
  return given
    .flatMap((word: unknown) => (typeof word === 'string' ? [word.slice(0, 100)] : []))
    .slice(0, 50);
}

function asObject(given: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw wrong(`${what} must be an object`);
  return given as Readonly<Record<string, unknown>>;
}

function wrong(what: string): Error {
  return new TypeError(`Belay: registerTool: ${what}`);
}
