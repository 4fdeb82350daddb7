import { fail, ok, type Result } from '#base/result';
import type { Encodings } from '#host/encodings';
import type { AbsolutePath } from '#protocol/ids';
import { decodeText, isTable, withoutMarkName } from './decode-text';
import type { TextForm } from './text-file';
import { encodeUnicode, isUnicode, markOf } from './unicode';

const MARK = '\uFEFF';

/**
 * The bytes of a text, proven to read as that very text again. The error names what no file or this encoding can't hold, and what to
 * do; it stands alone or after a colon.
 */
export async function encodeText(
  text: string,
  form: TextForm,
  path: AbsolutePath,
  encodings: Encodings,
): Promise<Result<Uint8Array, string>> {
  if (!text.isWellFormed())
    return fail('the text holds half of a surrogate pair, which no file can hold; leave that character out');
  if (text.includes('\0'))
    return fail('the text holds a NUL character, which would make the file a binary one; leave it out');
  const { encoding, bom } = form;
  if (!isUnicode(encoding)) return byTable(text, encoding, encodings);
  const bytes = encodeUnicode(bom ? MARK + text : text, encoding);
  if (bom || (encoding === 'utf8' && !text.startsWith(MARK))) return ok(bytes);
  const again = await decodeText(bytes, path, encodings);
  return again.ok && again.value.text === text ? ok(bytes) : fail(encoding === 'utf8' ? MARKED : UNTOLD);
}

/** Without a mark the beginning of the file tells that it is UTF-16. */
const UNTOLD =
  'the file is UTF-16 without a byte order mark, and with this text nothing would tell that any more; ask the user to save it with one';
const MARKED =
  'the new text begins with a byte order mark (U+FEFF), which would be taken for that of the file; leave it out';
/** Some letters of a table are the bytes of a mark: the next reader would take the file for Unicode, and all of it for garbage. */
const LIKE_A_MARK =
  'the new text begins with characters that this encoding writes as a byte order mark, so the file would be taken for Unicode; begin it with others';

async function byTable(
  text: string,
  encoding: string,
  encodings: Encodings,
): Promise<Result<Uint8Array, string>> {
  const bytes = isTable(encoding) ? await encodings.encode(text, encoding) : undefined;
  const back = bytes && (await encodings.decode(bytes, encoding));
  if (bytes === undefined || back === undefined)
    return fail(
      `the encoding ${encoding}, which is set for this file, is not known; ask the user to change files.encoding`,
    );
  if (back !== text) return fail(lacking(text, back, encoding));
  return markOf(bytes) ? fail(LIKE_A_MARK) : ok(bytes);
}

/** What a new file is written in: as the editor would save one there. */
export async function formOfNew(path: AbsolutePath, encodings: Encodings): Promise<TextForm> {
  const set = encodings.setFor(path).encoding ?? (await encodings.choose(path, new Uint8Array()));
  return { encoding: withoutMarkName(set), bom: ['utf8bom', 'utf16le', 'utf16be'].includes(set) };
}

/** The first character that came back as another. Those before it came back, so both texts have the same positions up to there. */
function lacking(text: string, back: string, encoding: string): string {
  let at = 0;
  while (text.codePointAt(at) === back.codePointAt(at)) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  const code = text.codePointAt(at) ?? 0;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const character = String.fromCodePoint(code);
  const shown = /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `"${character}" (${name})` : name;
  const line = (text.slice(0, at).match(/\r\n|\n|\r/g)?.length ?? 0) + 1;
  return `${encoding}, the encoding of this file, has no ${shown}, which stands in line ${line} of the new text; write it another way, or ask the user to save the file as UTF-8`;
}
