/** A failure that a caller can act on is a value; throwing is kept for bugs. */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value });
export const fail = <E>(error: E): Result<never, E> => ({ ok: false, error });

/** Ends every switch over a union: a new variant becomes a compile error here. */
export function assertNever(value: never): never {
  throw new Error(`unexpected variant: ${JSON.stringify(value)}`);
}

/** The message of whatever was thrown, without its stack. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    // Others' code may throw a thing whose getters throw.
    return 'an error without words';
  }
}
