/** First bytes of formats that are worth naming, in hex; `format` stands after four bytes of size. */
const SIGNATURES: readonly { readonly what: string; readonly bytes: string; readonly format?: string }[] = [
  { what: 'a PNG image', bytes: '89504e470d0a1a0a' },
  { what: 'a JPEG image', bytes: 'ffd8ff' },
  { what: 'a GIF image', bytes: '474946383761' },
  { what: 'a GIF image', bytes: '474946383961' },
  { what: 'a WebP image', bytes: '52494646', format: '57454250' },
  { what: 'a PDF document', bytes: '255044462d' },
  { what: 'a zip archive', bytes: '504b0304' },
  { what: 'gzip data', bytes: '1f8b' },
  { what: 'an ELF binary', bytes: '7f454c46' },
  { what: 'a WebAssembly module', bytes: '0061736d' },
  { what: 'a SQLite database', bytes: '53514c69746520666f726d6174203300' },
];

/** Hex digits that the longest of them needs. */
const HEAD = 32;

/** What other bytes are that are no text, in words. */
export const BINARY = 'a binary file';

/** What a file is whose format is known by its first bytes. */
export function knownFormat(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, HEAD / 2)).toString('hex');
  const known = SIGNATURES.find(
    ({ bytes: hex, format }) => head.startsWith(hex) && (format === undefined || head.startsWith(format, 16)),
  );
  return known?.what;
}
