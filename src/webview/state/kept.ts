import * as z from 'zod';

const stampedSchema = z.object({ at: z.number(), state: z.unknown() });

/** What the page keeps, with the time of it in milliseconds since 1970. */
export type Stamped = z.infer<typeof stampedSchema>;

/**
 * The newer of two copies: the editor's own may lose the last seconds before a reload, the extension's (as JSON) is as old as the page
 * that it made. Whatever doesn't parse counts as nothing.
 */
export function newestKept(editors: unknown, extensions: string | undefined): unknown {
  const copies = [editors, parsed(extensions)].flatMap((copy) => {
    const stamped = stampedSchema.safeParse(copy);
    return stamped.success ? [stamped.data] : [];
  });
  return copies.sort((a, b) => b.at - a.at)[0]?.state;
}

function parsed(json: string | undefined): unknown {
  try {
    return JSON.parse(json ?? 'null');
  } catch {
    return undefined;
  }
}
