import { t } from '#base/l10n';
import type { ToolResult } from '#protocol/tool-result';
import { type PdfText, readPdf } from '#tools/formats/pdf';
import { showPath } from '#tools/paths';
import { orFail, rejected } from '#tools/refusal';
import { type ToolContext, ToolFailure } from '#tools/tool';
import type { Binary } from './binary';
import { PAGE_BYTES, pageOf } from './page';
import { IMAGES_WANTED, pictureNotes, picturesOf } from './pdf-pictures';

const NAME = 'read_file';
const LARGEST = 64 * 1024 * 1024;

/** Text of a PDF, page by page, each under a heading; undefined when it is no PDF. */
export async function showPdf(binary: Binary, context: ToolContext): Promise<ToolResult | undefined> {
  const { place, part, input } = binary;
  if (Buffer.from(part.bytes.subarray(0, 5)).toString('latin1') !== '%PDF-') return undefined;
  const path = showPath(place.relative);
  const { first, last } = rangeOf(input.pages);
  const bytes = part.more ? await wholeOf(binary, context) : part.bytes;
  const wanted = input.pages === undefined ? {} : { images: IMAGES_WANTED };
  const pdf = await readPdf({ bytes, first, last, enough: PAGE_BYTES, ...wanted }, context.signal);
  const count = pdf.pages;
  if (count === undefined || pdf.end === 'locked') throw new ToolFailure(`${NAME}: ${path} ${whyNot(pdf)}`);
  if (first > count) throw rejected(NAME, `${path} has ${count} pages; name pages from 1 to ${count}`);
  if (pdf.texts.length === 0) throw new ToolFailure(`${NAME}: ${path}: page ${first} ${whyNot(pdf)}`);
  return answer(binary, pdf, { count, first, last });
}

async function wholeOf({ place }: Binary, { files }: ToolContext): Promise<Uint8Array> {
  const read = orFail(NAME, await files.read(place.absolute, { maxBytes: LARGEST }));
  if (!read.more) return read.bytes;
  throw new ToolFailure(`${NAME}: ${showPath(place.relative)} is a PDF over 64 MB; use a command to read it`);
}

/** "4" or "4-7"; all without. */
function rangeOf(pages: string | undefined): { readonly first: number; readonly last: number } {
  const [first = '1', last] = pages === undefined ? ['1', 'Infinity'] : pages.split('-');
  const range = { first: Number(first), last: Number(last ?? first) };
  if (range.first < 1 || range.last < range.first)
    throw rejected(NAME, `pages ${JSON.stringify(pages)} is no range; give "4" or "4-7", from 1`);
  return range;
}

interface Range {
  /** Pages of the document. */
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

function answer({ place, input, part }: Binary, pdf: PdfText, range: Range): ToolResult {
  const { count, first } = range;
  const path = showPath(place.relative);
  const blank = pdf.texts.filter(({ text }) => text.trim() === '').length;
  const text = pdf.texts
    .map((page) => `--- page ${page.number} of ${count} ---\n${page.text.replace(/\s+$/, '')}\n`)
    .join('');
  const page = pageOf(text, input);
  if (page.lines.length === 0)
    throw rejected(
      NAME,
      `offset ${page.from} is past the end of these pages, which have ${page.total} lines`,
    );
  const to = pdf.texts.at(-1)?.number ?? first;
  const notes = [`a PDF, ${part.size.toLocaleString('en')} bytes; pages ${first}–${to} of ${count}`];
  if (page.to < page.total)
    notes.push(
      `lines ${page.from}–${page.to} of ${page.total}; go on with offset ${page.to + 1} and the same pages`,
    );
  else if (to < Math.min(count, range.last)) notes.push(goOn(pdf, to, count));
  if (blank === pdf.texts.length) notes.push('these pages hold no text: they may be scanned or drawn');
  else if (blank > 0) notes.push(`${blank} of them hold no text`);
  if (blank > 0) notes.push(...pictureNotes(pdf, input.pages !== undefined));
  return {
    version: 1,
    status: 'success',
    content: `${page.lines.join('\n')}\n\n(${notes.join('; ')})`,
    ...picturesOf(pdf),
    display: {
      kind: 'text',
      title: place.relative,
      fields: [{ key: t('pages'), value: `${first}–${to} / ${count}` }],
      body: blank === pdf.texts.length ? `${path}: ${notes.at(-1)}` : text.slice(0, 4000),
    },
  };
}

function goOn(pdf: PdfText, to: number, count: number): string {
  const next = `pages "${to + 1}${to + 1 < count ? `-${count}` : ''}"`;
  return pdf.end === 'done' ? `go on with ${next}` : `page ${to + 1} ${whyNot(pdf)}`;
}

/** What comes behind the name of a document or a page. */
function whyNot({ end }: PdfText): string {
  switch (end) {
    case 'locked':
      return 'is a PDF that is encrypted with a password; ask the user for a copy without one';
    case 'too-long':
      return 'took longer than 20 seconds to read and was given up';
    case 'too-large':
      return 'took too much memory to read and was given up';
    default:
      return "could not be read: the PDF is damaged or isn't one";
  }
}
