/** First bytes of formats that are worth naming; `format` stands after four bytes of size. */
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

/** What a file that is not text seems to be; undefined when it may be text. A NUL byte anywhere makes it binary, as for git. */
export function describeBinary(bytes: Uint8Array): string | undefined {
  const known = SIGNATURES.find(
    ({ bytes: hex, format }) => holds(bytes, hex, 0) && (format === undefined || holds(bytes, format, 8)),
  );
  if (known) return known.what;
  return bytes.includes(0) ? 'a binary file' : undefined;
}

function holds(bytes: Uint8Array, hex: string, at: number): boolean {
  const wanted = Buffer.from(hex, 'hex');
  return wanted.equals(bytes.subarray(at, at + wanted.length));
}
