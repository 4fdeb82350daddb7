import { t } from '#base/l10n';
import { fail, messageOf, ok, type Result } from '#base/result';
import type { JsonSchema } from '#tools/schema';
import { flatten } from './schema-merge';
import { inBoth, type Turning, turned, turnedObject } from './schema-node';
import { isTable, own, SchemaProblem, type Written } from './schema-refs';
import { typesOf } from './schema-types';

/** A server's schema as models are shown it, and the way back from what they give. */
export interface ModelSchema {
  /** Of the keywords that Anthropic, OpenAI and Google all take: an object at its top, every part with a type, no reference. */
  readonly schema: JsonSchema;
  /** From the model's arguments to the server's: takes them out of the field they were wrapped in, and gives fields their own names. */
  unwrap(input: unknown): unknown;
}

/** The field that arguments of several kinds are wrapped in: no provider takes a choice at the top. */
const WRAPPER = 'arguments';
const MOST_STEPS = 20_000;
const MOST_PARTS = 1500;
/** In UTF-16 units of JSON. */
const LONGEST = 64 * 1024;
const MOST_KINDS = 30;

/**
 * Turns a server's schema into one that every provider takes. Only what can't be said is left out or told in words: the server's own
 * schema still holds for the call (see schema-check.ts). The error says why no model can be told of the tool, as the end of a sentence.
 */
export function modelSchema(written: unknown): Result<ModelSchema, string> {
  const turning: Turning = { root: written, steps: MOST_STEPS, parts: MOST_PARTS, fields: new Map() };
  try {
    const { schema, wrapper } = top(written, turning);
    const { length } = JSON.stringify(schema);
    if (length > LONGEST)
      return fail(t('its input schema takes {0} characters for a model; {1} is the most', length, LONGEST));
    const { fields } = turning;
    return ok({ schema, unwrap: (input) => renamed(unwrapped(input, wrapper), fields) });
  } catch (error) {
    if (error instanceof SchemaProblem) return fail(t('its input schema can’t be used: {0}', error.message));
    // Nested deeper than the stack goes.
    return fail(t('its input schema can’t be used: {0}', messageOf(error)));
  }
}

interface Top {
  readonly schema: JsonSchema;
  /** Undefined: the arguments are the object itself. */
  readonly wrapper?: string;
}

/** The arguments of a call are an object, whatever the schema says: that is how the protocol hands them over. */
function top(written: unknown, turning: Turning): Top {
  const { schema, open } = flatten(written ?? {}, turning, []);
  if (schema === false) throw new SchemaProblem(t('nothing fits it'));
  const table: Written = schema === true ? {} : schema;
  const place = { open, depth: 0 };
  const kinds = kindsOf(table, turning);
  if (kinds.length > 1) {
    const anyOf = kinds.flatMap((kind) => turned(kind, turning, place) ?? []);
    const properties = { [WRAPPER]: { anyOf } };
    return { schema: { type: 'object', properties, required: [WRAPPER] }, wrapper: WRAPPER };
  }
  return { schema: turnedObject(kinds[0] ?? asObject(table), turning, place) };
}

/** The different objects that the arguments may be. Choices that only demand other fields make no other kind. */
function kindsOf(table: Written, turning: Turning): readonly Written[] {
  const branches = [own(table, 'anyOf'), own(table, 'oneOf')].find(Array.isArray) as
    | readonly unknown[]
    | undefined;
  if (branches === undefined) return [];
  const { anyOf: _, oneOf: __, ...rest } = table;
  const kinds = branches.slice(0, MOST_KINDS).flatMap((branch) => {
    const whole = inBoth(rest, branch, turning);
    return whole !== undefined && mayBeObject(whole) ? [whole] : [];
  });
  if (kinds.length === 0) throw new SchemaProblem(t('its arguments are no object'));
  const differ = branches.some((branch) => !isTable(branch) || !onlyDemands(branch));
  return differ ? kinds.map(asObject) : [asObject(rest)];
}

function onlyDemands(branch: Written): boolean {
  return Object.keys(branch).every((key) => key === 'required' || key === 'not' || key === 'description');
}

function mayBeObject(schema: Written): boolean {
  const types = typesOf(schema);
  return types.length === 0 || types.includes('object') || own(schema, 'type') === undefined;
}

function asObject(schema: Written): Written {
  if (!mayBeObject(schema)) throw new SchemaProblem(t('its arguments are no object'));
  const { enum: _, const: __, nullable: ___, ...rest } = schema;
  return { ...rest, type: 'object' };
}

/** A model that gives the arguments bare is understood too. */
function unwrapped(input: unknown, wrapper: string | undefined): unknown {
  if (wrapper === undefined || !isTable(input)) return input;
  const keys = Object.keys(input);
  return keys.length === 1 && keys[0] === wrapper ? input[wrapper] : input;
}

function renamed(value: unknown, fields: ReadonlyMap<string, string>): unknown {
  if (fields.size === 0) return value;
  if (Array.isArray(value)) return value.map((item) => renamed(item, fields));
  if (!isTable(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [fields.get(name) ?? name, renamed(inner, fields)]),
  );
}
