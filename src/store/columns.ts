import { z } from 'zod';

/**
 * A column of JSON text whose shape is a type of ours. What we wrote ourselves is trusted beyond being JSON.
 * Texts of people are kept this way too: JSON escapes what UTF-8 can't hold (a lone half of a character, NUL).
 */
export function json<T>(): z.ZodType<T, string> {
  return z.string().transform((text) => JSON.parse(text) as T);
}

/** A JSON column that may be NULL. */
export function optionalJson<T>(): z.ZodType<T | undefined, string | null> {
  return z
    .string()
    .nullable()
    .transform((text) => (text === null ? undefined : (JSON.parse(text) as T)));
}

/** A text column that may be NULL. */
export const optionalText = z
  .string()
  .nullable()
  .transform((text) => text ?? undefined);

/** A text column holding a branded id. */
export function id<T extends string>(): z.ZodType<T, string> {
  return z.string().transform((text) => text as T);
}
