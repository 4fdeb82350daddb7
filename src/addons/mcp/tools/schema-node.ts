import { sha256 } from '#base/hash';
import { legalPart } from '#tools/legal-name';
import type { JsonSchema } from '#tools/schema';
import { both, flatten, type Whole } from './schema-merge';
import { isTable, own, type Written } from './schema-refs';
import { type Type, typeOfValue, typesOf } from './schema-types';
import { choiceWords, describe } from './schema-words';

/** What is known while a schema is turned into one that every provider takes. */
export interface Turning extends Whole {
  /** Parts that may still be shown; after them only their kind is. */
  parts: number;
  /** Names of fields that providers refuse: what the model calls them → what the server does. */
  readonly fields: Map<string, string>;
}

interface Place {
  readonly open: readonly string[];
  readonly depth: number;
}

/** Deeper than a model fills in. */
const DEEPEST = 10;
const MOST_BRANCHES = 30;
const MOST_CHOICES = 250;
const LONGEST_CHOICES = 8000;
const FIELD_NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/;

/** Any value at all, said so that no provider misses a type. */
function anything(description?: string): JsonSchema {
  const types: JsonSchema[] = ['string', 'number', 'boolean', 'object'].map((type) => ({ type }));
  const anyOf = [...types, { type: 'array', items: { type: 'string' } }];
  return { ...(description === undefined ? {} : { description }), anyOf };
}

/** One part of a schema, with the keywords that all providers take. Undefined when nothing fits it. */
export function turned(value: unknown, turning: Turning, place: Place): JsonSchema | undefined {
  const flat = flatten(value, turning, place.open);
  if (flat.schema === false) return undefined;
  if (flat.schema === true) return anything();
  const isOver = --turning.parts < 0 || place.depth > DEEPEST;
  if (isOver) return outlined(flat.schema);
  return turnedTable(flat.schema, turning, { open: flat.open, depth: place.depth });
}

/** No more than its kind: it goes round, or is too deep or too large to be shown. */
function outlined(schema: Written): JsonSchema {
  const description = describe(schema, ['It goes on in the same way; what it may hold isn’t shown further.']);
  const [type] = typesOf(schema);
  if (type === undefined) return anything(description);
  return withDescription(type === 'array' ? { type, items: anything() } : { type }, description);
}

function turnedTable(schema: Written, turning: Turning, place: Place): JsonSchema {
  const branches = branchesOf(schema);
  if (branches !== undefined && !describesFields(schema)) return union(schema, branches, { turning, place });
  const choices = own(schema, 'const') === undefined ? own(schema, 'enum') : [own(schema, 'const')];
  if (Array.isArray(choices)) return choice(schema, choices);
  const types = typesOf(schema);
  if (types.length === 0) return anything(describe(schema));
  const [only] = types;
  if (types.length === 1 && only !== undefined) return ofType(only, schema, { turning, place });
  const anyOf = types.map((type) => ofType(type, undescribed(schema), { turning, place }));
  return withDescription({ anyOf }, describe(schema));
}

/** A choice beside fields of its own only narrows them: the fields are what a model needs. */
function describesFields(schema: Written): boolean {
  return isTable(own(schema, 'properties'));
}

function branchesOf(schema: Written): readonly unknown[] | undefined {
  for (const key of ['anyOf', 'oneOf']) {
    const branches = own(schema, key);
    if (Array.isArray(branches) && branches.length > 0) return branches.slice(0, MOST_BRANCHES);
  }
  return undefined;
}

function union(
  schema: Written,
  branches: readonly unknown[],
  { turning, place }: { readonly turning: Turning; readonly place: Place },
): JsonSchema {
  const { anyOf: _, oneOf: __, description, ...rest } = schema;
  const below = { open: place.open, depth: place.depth + 1 };
  const shared = Object.keys(rest).length > 0;
  const anyOf = branches.flatMap((branch) => {
    const whole = shared && isTable(branch) ? { ...rest, allOf: [branch] } : branch;
    return listed(turned(whole, turning, below));
  });
  const words = describe({ description });
  const [only] = anyOf;
  if (only === undefined) return anything(words);
  return anyOf.length === 1
    ? withDescription(only, words)
    : withDescription({ anyOf: distinct(anyOf) }, words);
}

function listed(schema: JsonSchema | undefined): readonly JsonSchema[] {
  return schema === undefined ? [] : [schema];
}

function distinct(schemas: readonly JsonSchema[]): readonly JsonSchema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

/** Only texts are listed: of other values not every provider takes a list. */
function choice(schema: Written, values: readonly unknown[]): JsonSchema {
  const isList =
    values.length > 0 &&
    values.length <= MOST_CHOICES &&
    values.every((value) => typeof value === 'string' && value !== '') &&
    JSON.stringify(values).length <= LONGEST_CHOICES;
  if (isList) return withDescription({ type: 'string', enum: [...new Set(values)] }, describe(schema));
  const words = describe(schema, [choiceWords(values)]);
  const types = [...new Set(values.map(typeOfValue))];
  const [only] = types;
  if (types.length === 1 && only !== undefined && only !== 'array')
    return withDescription({ type: only }, words);
  const anyOf = types.map((type) => (type === 'array' ? { type, items: anything() } : { type }));
  return types.length === 0 ? anything(words) : withDescription({ anyOf }, words);
}

function ofType(
  type: Type,
  schema: Written,
  how: { readonly turning: Turning; readonly place: Place },
): JsonSchema {
  switch (type) {
    case 'object':
      return turnedObject(schema, how.turning, how.place);
    case 'array':
      return turnedArray(schema, how.turning, how.place);
    case 'string':
      return withDescription({ type, ...bounds(schema, ['minLength', 'maxLength']) }, describe(schema));
    case 'number':
    case 'integer':
      return withDescription({ type, ...bounds(schema, ['minimum', 'maximum']) }, describe(schema));
    case 'boolean':
    case 'null':
      return withDescription({ type }, describe(schema));
  }
}

/** An object with its fields. A field whose name a provider would refuse gets another, which is turned back before the call. */
export function turnedObject(schema: Written, turning: Turning, place: Place): JsonSchema {
  const fields = own(schema, 'properties');
  const properties: Record<string, unknown> = {};
  const below = { open: place.open, depth: place.depth + 1 };
  const required = own(schema, 'required');
  const demanded = new Set(
    Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [],
  );
  const table = isTable(fields) ? fields : {};
  for (const name of new Set([...Object.keys(table), ...demanded])) {
    const field = turned(own(table, name), turning, below);
    if (field === undefined) demanded.delete(name);
    else properties[fieldName(name, turning)] = field;
  }
  const names = [...demanded].map((name) => fieldName(name, turning));
  const more = additional(schema, turning, below);
  return withDescription(
    {
      type: 'object',
      properties,
      ...(names.length > 0 ? { required: names } : {}),
      ...(more === undefined ? {} : { additionalProperties: more }),
    },
    describe(schema, patternWords(schema)),
  );
}

/** Nothing is said where the server says nothing: then it takes more fields. */
function additional(schema: Written, turning: Turning, place: Place): JsonSchema | boolean | undefined {
  const more = own(schema, 'additionalProperties');
  const byPattern = own(schema, 'patternProperties');
  if (isTable(byPattern)) return true;
  if (typeof more === 'boolean') return more;
  return more === undefined ? undefined : (turned(more, turning, place) ?? false);
}

function patternWords(schema: Written): readonly string[] {
  const byPattern = own(schema, 'patternProperties');
  if (!isTable(byPattern)) return [];
  const patterns = Object.keys(byPattern)
    .slice(0, 5)
    .map((pattern) => JSON.stringify(pattern.slice(0, 100)));
  return [`Also takes fields whose names match ${patterns.join(', ')}.`];
}

function fieldName(name: string, { fields }: Turning): string {
  if (FIELD_NAME.test(name) && name !== '__proto__') return name;
  const part = legalPart(name);
  const legal = (/^[A-Za-z_]/.test(part) ? part : `f_${part}`).slice(0, 48);
  const made = `${legal}_${sha256(name).slice(0, 10)}`;
  fields.set(made, name);
  return made;
}

function turnedArray(schema: Written, turning: Turning, place: Place): JsonSchema {
  const below = { open: place.open, depth: place.depth + 1 };
  const written = own(schema, 'prefixItems') ?? own(schema, 'items');
  const each = Array.isArray(written)
    ? written.slice(0, MOST_BRANCHES).flatMap((item) => listed(turned(item, turning, below)))
    : [turned(written, turning, below) ?? anything()];
  const kinds = distinct(each);
  const [only] = kinds;
  const items = only === undefined ? anything() : kinds.length === 1 ? only : { anyOf: kinds };
  const words = Array.isArray(written) ? ['Its values stand in a fixed order.'] : [];
  return withDescription(
    { type: 'array', items, ...bounds(schema, ['minItems', 'maxItems']) },
    describe(schema, words),
  );
}

function bounds(schema: Written, keywords: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    keywords.flatMap((key) => {
      const value = own(schema, key);
      const isUsable =
        typeof value === 'number' &&
        Number.isFinite(value) &&
        (/imum$/.test(key) || (Number.isInteger(value) && value >= 0));
      return isUsable ? [[key, value] as const] : [];
    }),
  );
}

function undescribed({ description: _, ...schema }: Written): Written {
  return schema;
}

function withDescription(schema: JsonSchema, description: string | undefined): JsonSchema {
  return description === undefined ? schema : { ...schema, description };
}

/** Everything of two schemas in one, for the arguments as a whole. */
export function inBoth(one: Written, other: unknown, whole: Whole): Written | undefined {
  const flat = flatten(other, whole, []);
  if (flat.schema === false) return undefined;
  return flat.schema === true ? one : both(flat.schema, one);
}
