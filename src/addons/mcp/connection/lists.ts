import { fail, ok, type Result } from '#base/result';

/** One page of a list, and where the next begins. */
export interface Page {
  readonly items: readonly unknown[];
  readonly next: string | undefined;
}

const MOST_PAGES = 100;

/**
 * All pages of a list, up to `most` things; `cut` when there would be more. A server that leads in a circle is left at the first cursor
 * that comes twice.
 */
export async function allPages(
  most: number,
  page: (cursor: string | undefined) => Promise<Result<Page, string>>,
): Promise<Result<{ readonly items: readonly unknown[]; readonly cut: boolean }, string>> {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const read = await page(cursor);
    if (!read.ok) return fail(read.error);
    const room = most - items.length;
    items.push(...read.value.items.slice(0, room));
    cursor = read.value.next;
    if (read.value.items.length > room) return ok({ items, cut: true });
    if (cursor === undefined) return ok({ items, cut: false });
    if (items.length >= most || seen.has(cursor)) return ok({ items, cut: true });
    seen.add(cursor);
  }
  return ok({ items, cut: true });
}
