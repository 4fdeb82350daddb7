import { z } from 'zod';
import { canonicalJson, sha256 } from '#base/hash';
import type { ToolDefinition } from './tool';

/** JSON Schema as every provider takes it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** A tool as a request carries it. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

/**
 * Keywords that Anthropic, OpenAI and Google all accept. Others are left out: they only narrow what is accepted, and the
 * zod schema, which does the parsing, still holds them.
 */
const SAFE = new Set([
  'type',
  'description',
  'enum',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
]);

const schemas = new WeakMap<z.ZodType, JsonSchema>();

/**
 * Shows a model this schema for an input that parses by other means, such as a server's own schema. It must have an object at its top
 * and hold only what every provider takes.
 */
export function shownAs<T extends z.ZodType>(input: T, schema: JsonSchema): T {
  schemas.set(input, schema);
  return input;
}

/** What the model is shown of a tool. Derived once per tool. Throws when the input isn't an object: that is a bug of the tool. */
export function schemaOf(tool: ToolDefinition): ToolSchema {
  let inputSchema = schemas.get(tool.inputSchema);
  if (inputSchema === undefined) {
    inputSchema = deriveSchema(tool.name, tool.inputSchema);
    schemas.set(tool.inputSchema, inputSchema);
  }
  return { name: tool.name, description: tool.description, inputSchema };
}

/** Whether a request can carry it: a tool of others may have been given a schema that isn't one. */
export function hasSchema(tool: ToolDefinition): boolean {
  try {
    return schemaOf(tool) !== undefined;
  } catch {
    return false;
  }
}

const hashes = new WeakMap<JsonSchema, string>();

/** By which a tool's arguments are known again. Throws like `schemaOf`. */
export function schemaHash(tool: ToolDefinition): string {
  const { inputSchema } = schemaOf(tool);
  const known = hashes.get(inputSchema) ?? sha256(canonicalJson(inputSchema));
  hashes.set(inputSchema, known);
  return known;
}

function deriveSchema(name: string, input: z.ZodType): JsonSchema {
  const derived: unknown = z.toJSONSchema(input, { target: 'draft-7', io: 'input', unrepresentable: 'any' });
  const schema = safeSchema(derived);
  if (schema['type'] !== 'object') throw new Error(`${name}: the input schema must be an object`);
  return schema;
}

function safeSchema(schema: unknown): JsonSchema {
  if (!isRecord(schema)) return {};
  const safe: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    // Google takes one type only.
    if (keyword === 'type' && Array.isArray(value)) safe['anyOf'] = value.map((type: unknown) => ({ type }));
    else if (SAFE.has(keyword)) safe[keyword] = safeKeyword(keyword, value);
    else if (keyword === 'const') safe['enum'] = [value];
    else if (keyword === 'oneOf') safe['anyOf'] = safeKeyword('anyOf', value);
    else if (keyword === 'exclusiveMinimum' && schema['type'] === 'integer')
      safe['minimum'] = Number(value) + 1;
  }
  // zod bounds every integer by what a double can hold: noise for a model.
  if (safe['minimum'] === Number.MIN_SAFE_INTEGER) delete safe['minimum'];
  if (safe['maximum'] === Number.MAX_SAFE_INTEGER) delete safe['maximum'];
  if (safe['type'] === 'object') safe['additionalProperties'] ??= false;
  return safe;
}

function safeKeyword(keyword: string, value: unknown): unknown {
  if (keyword === 'properties' && isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, safeSchema(inner)]));
  if (keyword === 'anyOf' && Array.isArray(value)) return value.map(safeSchema);
  if (keyword === 'items' || (keyword === 'additionalProperties' && typeof value === 'object'))
    return safeSchema(value);
  return value;
}

/** Whether it has fields to look into: an object that is no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
