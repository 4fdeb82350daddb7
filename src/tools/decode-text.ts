import { fail, ok, type Result } from '#base/result';
import type { Encodings } from '#host/encodings';
import type { AbsolutePath } from '#protocol/ids';
import { BINARY, knownFormat } from './file-kinds';
import { describeText, type TextFile } from './text-file';
import { decodeUnicode, isUnicode, markOf, type Unicode, unmarkedUtf16 } from './unicode';

/** Why bytes are not shown or changed as text. `what` goes on after "is"; `advice` is what to do, a sentence without its full stop. */
export type NotText =
  | { readonly kind: 'binary'; readonly what: string }
  | { readonly kind: 'encoding'; readonly what: string; readonly advice: string };

type Decoded = Result<TextFile, NotText>;

/**
 * The one decision whether bytes are text, for reading, editing and writing alike. A byte order mark says the encoding; else what is
 * set for the path; else it is UTF-8. What is text here encodes to the very same bytes again, so nothing can be damaged; the rest is
 * refused untouched.
 */
export async function decodeText(
  bytes: Uint8Array,
  path: AbsolutePath,
  encodings: Encodings,
): Promise<Decoded> {
  const mark = markOf(bytes);
  if (mark?.encoding === 'utf32') return fail(UTF32);
  if (mark) return unicodeText(bytes.subarray(mark.length), mark.encoding, true);
  const format = knownFormat(bytes);
  if (format !== undefined) return fail({ kind: 'binary', what: format });
  const encoding = withoutMarkName(encodings.setFor(path).encoding ?? (await encodings.choose(path, bytes)));
  if (encoding === 'utf8') return utf8OrWide(bytes);
  return isUnicode(encoding) ? unicodeText(bytes, encoding, false) : byTable(bytes, encoding, encodings);
}

/** The mark is a fact of its own here, so UTF-8 has one name. */
export function withoutMarkName(encoding: string): string {
  return encoding === 'utf8bom' ? 'utf8' : encoding;
}

function utf8OrWide(bytes: Uint8Array): Decoded {
  // As for git, a zero byte anywhere makes it binary.
  if (!bytes.includes(0)) return unicodeText(bytes, 'utf8', false);
  const wide = unmarkedUtf16(bytes);
  return wide ? unicodeText(bytes, wide, false) : fail({ kind: 'binary', what: BINARY });
}

function unicodeText(bytes: Uint8Array, encoding: Unicode, bom: boolean): Decoded {
  const text = decodeUnicode(bytes, encoding);
  if (text === undefined) return fail(notValid(encoding));
  if (text.includes('\0')) return fail({ kind: 'binary', what: BINARY });
  return ok(describeText(text, { encoding, bom }));
}

async function byTable(bytes: Uint8Array, encoding: string, encodings: Encodings): Promise<Decoded> {
  if (bytes.includes(0)) return fail({ kind: 'binary', what: BINARY });
  const text = isTable(encoding) ? await encodings.decode(bytes, encoding) : undefined;
  if (text === undefined)
    return fail({
      kind: 'encoding',
      what: `set to an encoding that is not known (${encoding})`,
      advice: SET,
    });
  const back = await encodings.encode(text, encoding);
  const same = back !== undefined && Buffer.compare(back, bytes) === 0;
  return same ? ok(describeText(text, { encoding, bom: false })) : fail(notValid(encoding));
}

/**
 * Whether a name is that of a character set. Codecs know more, such as `base64` and `utf7`, but there what a person reads before
 * approving would not be what the file then says.
 */
export function isTable(encoding: string): boolean {
  return TABLES.test(encoding.toLowerCase().replace(/[^a-z0-9]/g, ''));
}

const TABLES =
  /^(gbk|gb18030|gb2312|big5|big5hkscs|shiftjis|eucjp|euckr|(windows|win|cp|ibm|iso8859)\d+|koi8[a-z]{1,2}|mac[a-z]+|tis620|latin1)$/;

const SET =
  'Ask the user to set files.encoding for it, or to reopen it in the editor with its encoding; then read it again';

const UTF32: NotText = {
  kind: 'encoding',
  what: 'UTF-32 text, which is not supported',
  advice: 'Ask the user to save it as UTF-8',
};

function notValid(encoding: string): NotText {
  const what =
    encoding === 'utf8' ? 'not UTF-8 text' : `not text in ${encoding}, the encoding that was taken for it`;
  return { kind: 'encoding', what, advice: SET };
}
