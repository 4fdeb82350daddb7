import { z } from 'zod';
import { fail, ok, type Result } from '#base/result';
import { shownAs } from '#tools/schema';
import { modelSchema } from './schema';
import { misfitsOf } from './schema-check';
import { isTable } from './schema-refs';

/** Arguments as the server wants them. */
export type ServerArguments = Readonly<Record<string, unknown>>;

/**
 * The schema of a tool's input, made of the server's JSON Schema: the model is shown one that every provider takes, what it gives is
 * turned back and checked against the server's own. Its output are the arguments for the server. The error says why no model can be
 * told of the tool, as the end of a sentence for people.
 */
export function inputSchemaOf(written: unknown): Result<z.ZodType<ServerArguments>, string> {
  const model = modelSchema(written);
  if (!model.ok) return fail(model.error);
  const { schema, unwrap } = model.value;
  const type = z.unknown().transform((given, context): ServerArguments => {
    const input = unwrap(given);
    if (!isTable(input)) {
      context.addIssue({ code: 'custom', message: 'they must be an object' });
      return z.NEVER;
    }
    for (const { path, rule } of misfitsOf(input, written ?? {}))
      context.addIssue({ code: 'custom', path: [...path], message: rule });
    return input;
  });
  return ok(shownAs(type, schema));
}
