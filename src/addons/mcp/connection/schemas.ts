import { z } from 'zod';

/** One page of a list. What it lists is judged piece by piece: one bad tool must not cost the others. */
export function pageSchema(what: string) {
  return z
    .object({ nextCursor: z.string().optional().catch(undefined) })
    .catchall(z.unknown())
    .transform((page) => {
      const items: unknown = page[what];
      return { items: Array.isArray(items) ? (items as readonly unknown[]) : [], next: page.nextCursor };
    });
}

/** Any answer that is an object. */
export const anySchema = z.looseObject({});
