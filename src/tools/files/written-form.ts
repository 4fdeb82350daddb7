import { formOfNew } from '#tools/encode-text';
import type { ResolvedPath } from '#tools/paths';
import { type TextForm, withoutMark } from '#tools/text-file';
import type { ToolPorts } from '#tools/tool';
import { bytesOf, type Editable } from './editable';

/** A whole content in the form that its file has. */
export interface Formed {
  /** Without the byte order mark. */
  readonly text: string;
  readonly bytes: Uint8Array;
  /** What was done that the content didn't say. */
  readonly notes: readonly string[];
}

/** Keeps what the content doesn't say: encoding, byte order mark, and CRLF where the file had only that and the content has none. */
export async function inTheFormOf(
  tool: string,
  { file, place }: Editable,
  content: string,
  { encodings }: ToolPorts,
): Promise<Formed> {
  const { text, isCrlf } = withCrlf(withoutMark(content), file.ends === 'crlf');
  const notes = isCrlf ? ["The file's CRLF line ends were kept."] : [];
  return { text, bytes: await bytesOf(tool, text, { form: file, path: place.absolute, encodings }), notes };
}

/** As the editor would save a new file there: its encoding, its byte order mark, its line ends. */
export async function inTheFormOfNew(
  tool: string,
  { absolute }: ResolvedPath,
  content: string,
  { encodings }: ToolPorts,
): Promise<Formed> {
  const set = await formOfNew(absolute, encodings);
  const plain = withoutMark(content);
  const form = { ...set, bom: set.bom || (plain !== content && set.encoding === 'utf8') };
  const { text, isCrlf } = withCrlf(plain, encodings.setFor(absolute).lineEnd === '\r\n');
  const bytes = await bytesOf(tool, text, { form, path: absolute, encodings });
  const said = [...formWords(set), ...(isCrlf ? ['CRLF line ends'] : [])];
  return {
    text,
    bytes,
    notes: said.length === 0 ? [] : [`As the settings of the editor say: ${said.join(', ')}.`],
  };
}

function formWords({ encoding, bom }: TextForm): string[] {
  if (encoding !== 'utf8') return [`encoding ${encoding}`];
  return bom ? ['byte order mark'] : [];
}

/** A content that has carriage returns of its own is taken as it is. */
function withCrlf(text: string, wanted: boolean): { readonly text: string; readonly isCrlf: boolean } {
  const isCrlf = wanted && text.includes('\n') && !text.includes('\r');
  return { text: isCrlf ? text.replaceAll('\n', '\r\n') : text, isCrlf };
}
