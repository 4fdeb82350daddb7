import { deflateSync } from 'node:zlib';

/** A whole grey PNG; its pixels compress to almost nothing. */
export function pngOf(
  width: number,
  height: number,
  { comment = 0 }: { readonly comment?: number } = {},
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...(comment > 0 ? [chunk('teXt', Buffer.alloc(comment, 'x'))] : []),
    chunk('IDAT', deflateSync(Buffer.alloc(Math.min(1_000_000, height * (width + 1))))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

// Pictures of 640 × 320 that have a header and an end: enough for whoever reads no pixels.
const JPEG_PARTS = [
  'ffd8',
  'ffe000104a46494600010100000100010000',
  'ffc00011080140028003012200021101031101',
  'ffda000c03010002110311003f00d2cf20',
  'ffd9',
];
export const JPEG = Buffer.from(JPEG_PARTS.join(''), 'hex');
export const GIF = Buffer.from('474946383961800240010000002c00000000800240010002003b', 'hex');
export const WEBP_LOSSY = webp('VP8 ', '000000000000009d012a80024001');
export const WEBP_LOSSLESS = webp('VP8L', '000000002f7fc24f00');
export const WEBP_EXTENDED = webp('VP8X', '00000000000000007f02003f0100');

function webp(kind: string, rest: string): Buffer {
  const body = Buffer.concat([
    Buffer.from(`WEBP${kind}`, 'latin1'),
    Buffer.from(rest, 'hex'),
    Buffer.alloc(8),
  ]);
  const head = Buffer.from('RIFF0000', 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

function chunk(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), content, Buffer.alloc(4)]);
}
