import { t } from '#base/l10n';
import { count } from '#base/text';
import type { Place } from '#host/language/places';
import type { Display, ToolResult } from '#protocol/tool-result';
import type { ToolContext } from '#tools/tool';
import { Sources } from './sources';

/** What is listed, in words: "reference", "references". */
export interface PlaceWords {
  readonly one: string;
  readonly many: string;
  /** For people: what it was asked of. */
  readonly title: string;
  /** When there is none. */
  readonly none: string;
}

/** Something was found, and all of it is kept: not the same as nothing. */
export const NOTHING_SHOWN = 'Nothing that may be shown.';

/** Lists places, each with its source line where that may be shown. */
export async function placeList(
  places: readonly Place[],
  words: PlaceWords,
  limit: number,
  context: ToolContext,
): Promise<ToolResult> {
  const sources = new Sources(context);
  const distinct = [...new Map(places.map((place) => [keyOf(place), place])).values()];
  const lines: string[] = [];
  const files = new Set<string>();
  let withheld = 0;
  for (const place of distinct.slice(0, limit)) {
    context.signal.throwIfAborted();
    const shown = await sources.show(place);
    if (shown.kind === 'withheld') withheld++;
    else {
      files.add(place.uri);
      lines.push(
        shown.kind === 'inside'
          ? `${shown.where}  ${shown.source}`
          : `${shown.where}  (outside the workspace)`,
      );
    }
  }
  const more = distinct.length - Math.min(limit, distinct.length);
  const notes = [...(more > 0 ? [`${more} more; raise limit for them`] : []), ...withheldWords(withheld)];
  const head =
    lines.length === 0
      ? withheld > 0
        ? NOTHING_SHOWN
        : words.none
      : `${count(lines.length + more, words.one, words.many)}:`;
  const tail = notes.length === 0 ? [] : [`(${notes.join('; ')})`];
  return {
    version: 1,
    status: 'success',
    content: [head, ...lines, ...tail].join('\n'),
    display: searchDisplay(words.title, lines, files.size),
  };
}

/** Why a list is shorter than what the server found. */
export function withheldWords(withheld: number): readonly string[] {
  return withheld === 0 ? [] : [`${withheld} in files that are kept from you`];
}

/** Lines of places as people see them. */
export function searchDisplay(title: string, lines: readonly string[], files: number): Display {
  const body = lines.length === 0 ? t('Nothing found') : lines.join('\n');
  return { kind: 'search', title, body, hits: lines.length, files };
}

function keyOf({ uri, range: { start } }: Place): string {
  return `${uri}:${start.line}:${start.column}`;
}

/** By file and place; the asked file's own first. */
export function inOrder(places: readonly Place[], own: string): readonly Place[] {
  const rank = ({ path }: Place) => (path === own ? 0 : 1);
  return places.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      (a.uri < b.uri ? -1 : a.uri > b.uri ? 1 : 0) ||
      a.range.start.line - b.range.start.line ||
      a.range.start.column - b.range.start.column,
  );
}
