/** First bytes of formats that are worth naming. `at` is where they begin. */
const SIGNATURES: readonly { readonly what: string; readonly bytes: string; readonly at?: number }[] = [
  { what: 'a PNG image', bytes: '89504e470d0a1a0a' },
  { what: 'a JPEG image', bytes: 'ffd8ff' },
  { what: 'a GIF image', bytes: '47494638' },
  { what: 'a WebP image', bytes: '57454250', at: 8 },
  { what: 'a PDF document', bytes: '255044462d' },
  { what: 'a zip archive', bytes: '504b0304' },
  { what: 'gzip data', bytes: '1f8b' },
  { what: 'an ELF binary', bytes: '7f454c46' },
  { what: 'a WebAssembly module', bytes: '0061736d' },
  { what: 'a SQLite database', bytes: '53514c69746520666f726d6174203300' },
];

/** What a file that is not text seems to be; undefined when it may be text. A NUL byte anywhere makes it binary, as for git. */
export function describeBinary(bytes: Uint8Array): string | undefined {
  const known = SIGNATURES.find(({ bytes: hex, at = 0 }) => startsWith(bytes, hex, at));
  if (known) return known.what;
  return bytes.includes(0) ? 'a binary file' : undefined;
}

function startsWith(bytes: Uint8Array, hex: string, at: number): boolean {
  const wanted = Buffer.from(hex, 'hex');
  return Buffer.from(
    bytes.buffer,
    bytes.byteOffset + Math.min(at, bytes.length),
    Math.min(wanted.length, Math.max(0, bytes.length - at)),
  ).equals(wanted);
}
