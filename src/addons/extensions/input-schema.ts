import type { z } from 'zod';
import { inputSchemaOf } from '#addons/mcp/tools/schema-input';
import { fail, messageOf, type Result } from '#base/result';

/** Characters of a schema's JSON. */
const LONGEST = 64 * 1024;

/**
 * Others' JSON Schema as the parser that their input must pass, for the editor checks nothing: read like that of an MCP server's tool, from
 * a copy, so what is changed later changes nothing here. The error says why no model could be given it.
 */
export function extensionInput(given: unknown): Result<z.ZodType, string> {
  try {
    // A tool that says nothing takes nothing.
    const written = given ?? { type: 'object', additionalProperties: false };
    const text = JSON.stringify(written);
    if (text === undefined || !text.startsWith('{')) return fail('its input schema is no object');
    if (text.length > LONGEST) return fail(`its input schema is longer than ${LONGEST} characters`);
    return inputSchemaOf(closed(JSON.parse(text)));
  } catch (error) {
    return fail(`its input schema can’t be read: ${messageOf(error)}`);
  }
}

/** With one of these, which fields there may be isn't said by `properties` alone. */
const SAYS_MORE = [
  ...['additionalProperties', 'unevaluatedProperties', 'patternProperties'],
  ...['allOf', 'anyOf', 'oneOf', 'if', '$ref', '$dynamicRef', 'dependentSchemas'],
];

/** A misspelt field would go by unseen: where the author says nothing of others, only the named ones get in. */
function closed(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return SAYS_MORE.some((keyword) => keyword in schema) ? schema : { ...schema, additionalProperties: false };
}
