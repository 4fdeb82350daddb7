import iconv from 'iconv-lite';

/** Undefined: no such encoding is known. What is malformed becomes U+FFFD; a byte order mark stays. */
export function decodeAs(bytes: Uint8Array, encoding: string): string | undefined {
  return iconv.encodingExists(encoding) ? iconv.decode(bytes, encoding, { stripBOM: false }) : undefined;
}

/** Undefined: no such encoding is known. What it lacks becomes `?`. */
export function encodeAs(text: string, encoding: string): Uint8Array | undefined {
  return iconv.encodingExists(encoding) ? iconv.encode(text, encoding, { addBOM: false }) : undefined;
}
