import { z } from 'zod';
import { fail, messageOf, ok, type Result } from '#base/result';
import type { JsonSchema } from '#tools/schema';

/** Characters of a schema's JSON. */
const LONGEST = 64 * 1024;

/**
 * Others' JSON Schema as the parser that their input must pass: the editor checks nothing. It is read from a copy, so what is changed later
 * changes nothing here. The error says why no model could be given it.
 */
export function inputSchemaOf(given: unknown): Result<z.ZodType, string> {
  const copied = copyOf(given);
  if (!copied.ok) return copied;
  const schema = copied.value;
  if (schema['type'] !== undefined && schema['type'] !== 'object') return fail('it describes no object');
  try {
    // A tool that says nothing of more fields is given none.
    const closed = { additionalProperties: false, properties: {}, ...schema, type: 'object' as const };
    return ok(z.fromJSONSchema(closed));
  } catch (error) {
    return fail(messageOf(error));
  }
}

function copyOf(given: unknown): Result<JsonSchema, string> {
  if (given === undefined || given === null) return ok({});
  try {
    const text = JSON.stringify(given);
    if (text === undefined || !text.startsWith('{')) return fail('it is no object');
    if (text.length > LONGEST) return fail(`it is longer than ${LONGEST} characters`);
    return ok(JSON.parse(text));
  } catch (error) {
    return fail(messageOf(error));
  }
}
