import type { Api, RecordedRequest } from './model-server/script';

/**
 * What the providers refuse of a request's tools, as their errors and documents say it, each as strict as the strictest word found:
 * Anthropic wants JSON Schema 2020-12 with an object at the top and plain names of fields; OpenAI wants `properties` of an object,
 * `items` of a list and no choice at the top; Google knows few keywords, one type each, lists of texts only, and no demand for a field
 * that isn't described.
 */
export function toolFaults({ api, body }: Pick<RecordedRequest, 'api' | 'body'>): readonly string[] {
  return toolsOf(api, body).flatMap(({ name, schema }) => {
    const faults: string[] = [];
    if (!/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name)) faults.push(`${name}: the name`);
    if (schema['type'] !== 'object') faults.push(`${name}: no object at the top`);
    if (!isTable(schema['properties'])) faults.push(`${name}: no properties at the top`);
    for (const key of ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const'])
      if (key in schema) faults.push(`${name}: ${key} at the top`);
    look(schema, (fault) => faults.push(`${name}: ${fault}`));
    return faults;
  });
}

interface SentTool {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** The tools of a request, wherever that API has them. */
export function toolsOf(api: Api, body: Readonly<Record<string, unknown>>): readonly SentTool[] {
  const tools = listOf(body['tools']);
  switch (api) {
    case 'anthropic':
      return tools.map((tool) => sent(tool['name'], tool['input_schema']));
    case 'openai-chat':
      return tools.map(({ function: each }) => sent(table(each)['name'], table(each)['parameters']));
    case 'openai-responses':
      return tools.map((tool) => sent(tool['name'], tool['parameters']));
    case 'google':
      return tools
        .flatMap((tool) => listOf(tool['functionDeclarations']))
        .map((tool) => sent(tool['name'], tool['parametersJsonSchema'] ?? tool['parameters']));
  }
}

const KEYWORDS = new Set(
  'type description enum properties required additionalProperties items anyOf minimum maximum minItems maxItems minLength maxLength'.split(
    ' ',
  ),
);
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

function look(schema: unknown, tell: (fault: string) => void): void {
  if (!isTable(schema)) {
    tell(`${JSON.stringify(schema)} is no schema`);
    return;
  }
  for (const key of Object.keys(schema)) if (!KEYWORDS.has(key)) tell(`the keyword ${key}`);
  const { type, anyOf, properties, items, required, additionalProperties } = schema;
  if ((type === undefined) === (anyOf === undefined)) tell('neither or both of type and anyOf');
  if (type !== undefined && !TYPES.has(String(type))) tell(`the type ${JSON.stringify(type)}`);
  if ((type === 'array') !== (items !== undefined)) tell('items without a list, or a list without items');
  lookAtEnum(schema, tell);
  for (const key of ['minimum', 'maximum', 'minItems', 'maxItems', 'minLength', 'maxLength'])
    if (key in schema && !Number.isFinite(schema[key])) tell(`${key} is no number`);
  if ('description' in schema && typeof schema['description'] !== 'string')
    tell('a description that is no text');
  const fields = properties === undefined ? {} : table(properties);
  for (const [name, field] of Object.entries(fields)) {
    if (!/^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/.test(name)) tell(`the field ${name}`);
    look(field, tell);
  }
  for (const name of required === undefined ? [] : (required as unknown[]))
    if (!Object.hasOwn(fields, String(name))) tell(`${String(name)} is demanded and not described`);
  if (isTable(additionalProperties)) look(additionalProperties, tell);
  if (items !== undefined) look(items, tell);
  if (anyOf !== undefined && (!Array.isArray(anyOf) || anyOf.length === 0)) tell('an empty anyOf');
  for (const branch of Array.isArray(anyOf) ? anyOf : []) look(branch, tell);
}

function lookAtEnum(
  { type, enum: values }: Readonly<Record<string, unknown>>,
  tell: (fault: string) => void,
): void {
  if (values === undefined) return;
  const isPlain =
    Array.isArray(values) &&
    values.length > 0 &&
    values.every((value) => typeof value === 'string' && value !== '');
  if (!isPlain || type !== 'string' || new Set(values).size !== values.length)
    tell('an enum of other than different texts');
}

function sent(name: unknown, schema: unknown): SentTool {
  return { name: String(name), schema: table(schema) };
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(table) : [];
}

function table(value: unknown): Readonly<Record<string, unknown>> {
  if (!isTable(value)) throw new Error(`no object: ${JSON.stringify(value)}`);
  return value;
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
