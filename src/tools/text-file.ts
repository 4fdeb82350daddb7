export type LineEnds = 'lf' | 'crlf' | 'cr' | 'mixed' | 'none';

/** What text is written in: an encoding by its name in `files.encoding` (never `utf8bom`: that is a mark of its own) and a byte order mark. */
export interface TextForm {
  readonly encoding: string;
  readonly bom: boolean;
}

/** A text file's content and what a change must keep of it. `text` has no byte order mark and its own line ends. */
export interface TextFile extends TextForm {
  readonly text: string;
  readonly ends: LineEnds;
  readonly finalNewline: boolean;
}

/** Most bytes that an edit or a write may leave in a file. */
export const WRITE_LIMIT = 1024 * 1024;

const BOM = '\uFEFF';

/** The facts of a text that is already decoded, such as that of an editor. */
export function describeText(text: string, { encoding, bom }: TextForm): TextFile {
  return { text, encoding, bom, ends: lineEndsOf(text), finalNewline: /[\r\n]$/.test(text) };
}

/** A text without the byte order mark at its beginning. */
export function withoutMark(text: string): string {
  return text.startsWith(BOM) ? text.slice(1) : text;
}

/** Lines as a person counts them: a final line end closes the last line and opens none. An empty text has none. */
export function splitLines(text: string): string[] {
  const lines = text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** What is unusual about a file's form, for the model; empty for plain LF text in UTF-8 with a final newline. */
export function textFacts(file: TextFile): string[] {
  const facts: string[] = file.encoding === 'utf8' ? [] : [`encoding ${file.encoding}`];
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
