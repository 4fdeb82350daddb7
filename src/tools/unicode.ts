/** The encodings that need no table, by the names of `files.encoding`. */
export type Unicode = 'utf8' | 'utf16le' | 'utf16be';

const MARKS: readonly { readonly encoding: Unicode | 'utf32'; readonly hex: string }[] = [
  { encoding: 'utf8', hex: 'efbbbf' },
  // Before UTF-16, whose mark it begins with.
  { encoding: 'utf32', hex: 'fffe0000' },
  { encoding: 'utf32', hex: '0000feff' },
  { encoding: 'utf16le', hex: 'fffe' },
  { encoding: 'utf16be', hex: 'feff' },
];

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** The byte order mark that bytes begin with, and how many of them it is. */
export function markOf(
  bytes: Uint8Array,
): { readonly encoding: Unicode | 'utf32'; readonly length: number } | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(4, bytes.length)).toString('hex');
  const mark = MARKS.find(({ hex }) => head.startsWith(hex));
  return mark && { encoding: mark.encoding, length: mark.hex.length / 2 };
}

export function isUnicode(encoding: string): encoding is Unicode {
  return encoding === 'utf8' || encoding === 'utf16le' || encoding === 'utf16be';
}

/** Strict: what decodes encodes to the very same bytes again. Undefined for the rest. */
export function decodeUnicode(bytes: Uint8Array, encoding: Unicode): string | undefined {
  if (encoding === 'utf8') {
    try {
      return strict.decode(bytes);
    } catch {
      return undefined;
    }
  }
  if (bytes.length % 2 === 1) return undefined;
  const text = littleEndian(bytes, encoding).toString('utf16le');
  return text.isWellFormed() ? text : undefined;
}

/** The bytes of well-formed text. */
export function encodeUnicode(text: string, encoding: Unicode): Uint8Array {
  if (encoding === 'utf8') return encoder.encode(text);
  return littleEndian(Buffer.from(text, 'utf16le'), encoding);
}

/**
 * Bytes that the editor, too, takes for UTF-16 without a mark: at their beginning every second byte is zero. The others must be plain
 * letters and the like, so that small numbers in a binary file aren't taken for text.
 */
export function unmarkedUtf16(bytes: Uint8Array): Unicode | undefined {
  if (bytes.length < 2 || bytes.length % 2 === 1) return undefined;
  const head = bytes.subarray(0, PROBED);
  const isText = (zeroAt: 0 | 1) =>
    head.every((byte, index) => (index % 2 === zeroAt ? byte === 0 : isPlain(byte)));
  if (isText(1)) return 'utf16le';
  return isText(0) ? 'utf16be' : undefined;
}

function isPlain(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte === 9 || byte === 10 || byte === 13;
}

/** Even, so that no character is cut in two. */
const PROBED = 512;

function littleEndian(bytes: Uint8Array, encoding: Unicode): Buffer {
  const own = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return encoding === 'utf16le' ? own : Buffer.from(own).swap16();
}
