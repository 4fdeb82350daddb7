import { sha256 } from '#base/hash';
import { ok, type Result } from '#base/result';
import type { Encodings } from '#host/encodings';
import type { AbsolutePath, Sha256 } from '#protocol/ids';
import { decodeText, type NotText, withoutMarkName } from '#tools/decode-text';
import { encodeText } from '#tools/encode-text';
import { describeText, type TextFile, type TextForm } from '#tools/text-file';
import type { ToolContext } from '#tools/tool';
import { markOf } from '#tools/unicode';
import type { Part } from './read-part';

/** The text of an editor with unsaved changes, and the hash that the file will have once it is saved as it stands. */
export async function readEditorText(
  path: AbsolutePath,
  text: string,
  context: ToolContext,
): Promise<{ readonly file: TextFile; readonly hash?: Sha256 }> {
  const form = await formOnDisk(path, context);
  const encoded = await encodeText(text, form, path, context.encodings);
  const hash = encoded.ok ? { hash: sha256(encoded.value) as Sha256 } : {};
  return { file: describeText(text, form), ...hash };
}

/** The form in which the editor will save it. */
async function formOnDisk(path: AbsolutePath, { files, encodings }: ToolContext): Promise<TextForm> {
  const disk = await files.read(path, { maxBytes: 4 });
  const mark = disk.ok ? markOf(disk.value.bytes) : undefined;
  if (mark && mark.encoding !== 'utf32') return { encoding: mark.encoding, bom: true };
  const set = encodings.setFor(path).encoding ?? (await encodings.choose(path, new Uint8Array()));
  return { encoding: withoutMarkName(set), bom: set === 'utf8bom' };
}

/** Bytes of a character that the end of a part may have cut off, but for its first: UTF-8 and GB 18030 have four. */
const LONGEST_PIECE = 3;

/** Text of a part of a file, whose last character may be cut in two: that many bytes at the end may be left out. */
export async function decodePart(
  part: Part,
  path: AbsolutePath,
  { encodings }: ToolContext,
): Promise<Result<TextFile, NotText>> {
  const { lead, more } = part;
  const bytes = lead.length === 0 ? part.bytes : Buffer.concat([lead, part.bytes]);
  const decoded = await decodeCut(bytes, more ? LONGEST_PIECE : 0, path, encodings);
  if (!decoded.ok || lead.length === 0) return decoded;
  const { text, encoding, bom } = decoded.value;
  return ok(describeText(text.slice(1), { encoding, bom }));
}

async function decodeCut(bytes: Uint8Array, spare: number, path: AbsolutePath, encodings: Encodings) {
  const whole = await decodeText(bytes, path, encodings);
  for (let left = 1; !whole.ok && whole.error.kind === 'encoding' && left <= spare; left++) {
    const part = await decodeText(bytes.subarray(0, -left), path, encodings);
    if (part.ok) return part;
  }
  return whole;
}
