import { fail, ok, type Result } from '#base/result';
import { describeBinary } from './file-kinds';

export type LineEnds = 'lf' | 'crlf' | 'cr' | 'mixed' | 'none';

/** A text file's content and what a change must keep of it. `text` has no byte order mark and its own line ends. */
export interface TextFile {
  readonly text: string;
  readonly bom: boolean;
  readonly ends: LineEnds;
  readonly finalNewline: boolean;
}

/** Why bytes are not shown or changed as text; words for the middle of a sentence: "is …". */
export interface NotText {
  readonly kind: 'binary' | 'encoding';
  readonly what: string;
}

/** Most bytes that an edit or a write may leave in a file. */
export const WRITE_LIMIT = 1024 * 1024;

const BOM = '\uFEFF';
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The one decision whether bytes are text, for reading, editing and writing alike. Strict UTF-8: what decodes encodes to
 * the very same bytes again, so nothing can be damaged; the rest is refused untouched.
 */
export function decodeText(bytes: Uint8Array): Result<TextFile, NotText> {
  const wide = wideEncoding(bytes);
  if (wide !== undefined)
    return fail({ kind: 'encoding', what: `${wide} text, which is not supported yet (only UTF-8 is)` });
  const binary = describeBinary(bytes);
  if (binary !== undefined) return fail({ kind: 'binary', what: binary });
  let decoded: string;
  try {
    decoded = strict.decode(bytes);
  } catch {
    return fail({ kind: 'encoding', what: 'not UTF-8 text; other encodings are not supported yet' });
  }
  return ok(describeText(withoutMark(decoded), decoded.startsWith(BOM)));
}

/** The facts of a text that is already decoded, such as that of an editor. */
export function describeText(text: string, bom: boolean): TextFile {
  return { text, bom, ends: lineEndsOf(text), finalNewline: /[\r\n]$/.test(text) };
}

/** The bytes of a text. The error is for text that no encoding can hold: half of a surrogate pair. */
export function encodeText(text: string, bom: boolean): Result<Uint8Array, string> {
  if (!text.isWellFormed())
    return fail('the text holds half of a surrogate pair, which no file can hold; leave that character out');
  return ok(new TextEncoder().encode(bom ? BOM + text : text));
}

/** A text without the byte order mark at its beginning. */
export function withoutMark(text: string): string {
  return text.startsWith(BOM) ? text.slice(1) : text;
}

/** The same question of bytes, for who has only the first of them. */
export function hasByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Lines as a person counts them: a final line end closes the last line and opens none. An empty text has none. */
export function splitLines(text: string): string[] {
  const lines = text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** What is unusual about a file's form, for the model; empty for plain LF text with a final newline. */
export function textFacts(file: TextFile): string[] {
  const facts: string[] = [];
  if (file.ends === 'crlf') facts.push('CRLF line ends');
  if (file.ends === 'cr') facts.push('CR line ends');
  if (file.ends === 'mixed') facts.push('mixed line ends');
  if (file.bom) facts.push('byte order mark');
  if (file.text !== '' && !file.finalNewline) facts.push('no final newline');
  return facts;
}

function lineEndsOf(text: string): LineEnds {
  if (!text.includes('\r')) return text.includes('\n') ? 'lf' : 'none';
  const found = new Set(text.match(/\r\n|\n|\r/g));
  if (found.size > 1) return 'mixed';
  return found.has('\r\n') ? 'crlf' : 'cr';
}

function wideEncoding(bytes: Uint8Array): string | undefined {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? 'UTF-32' : 'UTF-16';
  if (first === 0xfe && second === 0xff) return 'UTF-16';
  return undefined;
}
