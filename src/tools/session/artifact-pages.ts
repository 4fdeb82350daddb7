import { t } from '#base/l10n';
import { count, escapeRegExp, truncate } from '#base/text';
import type { ArtifactId } from '#protocol/ids';
import type { Artifacts } from '#tools/tool';
import { PAGE, type Shown } from './artifact-bytes';
import { Hits } from './artifact-hits';
import { type ArtifactLine, artifactLines } from './artifact-lines';

const MOST_LINES = 2000;
/** Characters of one line; of the longer ones the rest is read by bytes. */
const LONGEST_LINE = 2000;

interface Range {
  readonly id: string;
  readonly line?: number | undefined;
  readonly maxLines?: number | undefined;
}

/** A page that begins at a line, each with its number. */
export async function linesPage(
  { id, line: from = 1, maxLines = MOST_LINES }: Range,
  artifacts: Pick<Artifacts, 'read'>,
): Promise<Shown | undefined> {
  const found = await artifactLines(id, artifacts);
  if (found === undefined) return undefined;
  const page = new Page(Math.min(maxLines, MOST_LINES));
  let total = 0;
  for await (const line of found.lines()) {
    total = line.number;
    if (line.number >= from && !page.isFull) page.add(line.number, cutLine(line));
  }
  if (from > Math.max(1, total))
    return { problem: `line ${from} is past the end; it has ${count(total, 'line')}` };
  const { last } = page;
  const range = total === 0 ? 'empty' : `${from}–${last}`;
  const goOn = last < total ? `go on with line ${last + 1}` : 'the end';
  return {
    content: `${page.text}\n\n(lines ${range} of ${total}; ${goOn})`,
    fields: [{ key: t('lines'), value: range }],
    artifact: { id: id as ArtifactId, bytes: found.bytes },
  };
}

/** The lines that hold a text, whatever its case, with some around each: `12:` before a hit, `12-` before its neighbours. */
export async function keywordPage(
  {
    id,
    keyword,
    line: from = 1,
    maxLines = MOST_LINES,
    context = 2,
  }: Range & {
    readonly keyword: string;
    readonly context?: number | undefined;
  },
  artifacts: Pick<Artifacts, 'read'>,
): Promise<Shown | undefined> {
  const found = await artifactLines(id, artifacts);
  if (found === undefined) return undefined;
  const hits = new Hits(new RegExp(escapeRegExp(keyword), 'i'), {
    context,
    mostLines: Math.min(maxLines, MOST_LINES),
  });
  for await (const line of found.lines()) if (line.number >= from) hits.look(line);
  const total = count(hits.total, 'line');
  const goOn = hits.next === undefined ? '' : `; ${hits.shown} shown, go on with line ${hits.next}`;
  const holds = hits.total === 1 ? 'holds' : 'hold';
  const words = `${total}${from > 1 ? ` from line ${from} on` : ''} ${holds} ${JSON.stringify(truncate(keyword, 100))}${goOn}`;
  return {
    content: hits.total === 0 ? `(${words})` : `${hits.text}\n\n(${words})`,
    fields: [{ key: t('hits'), value: `“${truncate(keyword, 100)}” · ${hits.total}` }],
    artifact: { id: id as ArtifactId, bytes: found.bytes },
  };
}

/** Lines that are kept up to a bound of lines and characters; one always fits. */
class Page {
  readonly #lines: string[] = [];
  readonly #mostLines: number;
  #length = 0;
  last = 0;
  isFull = false;

  constructor(mostLines: number) {
    this.#mostLines = mostLines;
  }

  add(number: number, text: string): void {
    if (
      this.#lines.length > 0 &&
      (this.#lines.length >= this.#mostLines || this.#length + text.length > PAGE)
    ) {
      this.isFull = true;
      return;
    }
    this.#lines.push(`${number}\t${text}`);
    this.#length += text.length + 8;
    this.last = number;
  }

  get text(): string {
    return this.#lines.join('\n');
  }
}

function cutLine({ text, offset }: ArtifactLine): string {
  if (text.length <= LONGEST_LINE) return text;
  const kept = truncate(text, LONGEST_LINE);
  const goOn = offset + Buffer.byteLength(kept.slice(0, -1));
  return `${kept} (${text.length - kept.length + 1} more characters; go on with offset ${goOn})`;
}
