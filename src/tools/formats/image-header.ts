import type { ImageType } from '#protocol/tool-result';

/** What the header of a picture says. No pixel is ever decoded, so a small file that unfolds to a huge picture costs nothing. */
export interface ImageHeader {
  readonly mediaType: ImageType;
  /** In pixels; 0 where the header is damaged. */
  readonly width: number;
  readonly height: number;
  /** Its end is there too: a picture that was cut off would be refused by every provider. */
  readonly whole: boolean;
}

/** Reads a PNG, JPEG, GIF or WebP by its first bytes, whatever its name; undefined for everything else. */
export function imageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read = READERS.find(({ starts }) => starts(view));
  if (read === undefined) return undefined;
  const { width, height, whole } = read.header(view) ?? { width: 0, height: 0, whole: false };
  return { mediaType: read.mediaType, width, height, whole: whole && width > 0 && height > 0 };
}

type Found = Omit<ImageHeader, 'mediaType'> | undefined;

interface Reader {
  readonly mediaType: ImageType;
  starts(bytes: Buffer): boolean;
  /** Undefined when the header itself is cut off. */
  header(bytes: Buffer): Found;
}

const hasAt = (bytes: Buffer, at: number, text: string) =>
  bytes.length >= at + text.length && bytes.toString('latin1', at, at + text.length) === text;

const READERS: readonly Reader[] = [
  { mediaType: 'image/png', starts: (bytes) => hasAt(bytes, 0, '\x89PNG\r\n\x1a\n'), header: png },
  { mediaType: 'image/jpeg', starts: (bytes) => hasAt(bytes, 0, '\xff\xd8\xff'), header: jpeg },
  {
    mediaType: 'image/gif',
    starts: (bytes) => hasAt(bytes, 0, 'GIF87a') || hasAt(bytes, 0, 'GIF89a'),
    header: gif,
  },
  {
    mediaType: 'image/webp',
    starts: (bytes) => hasAt(bytes, 0, 'RIFF') && hasAt(bytes, 8, 'WEBP'),
    header: webp,
  },
];

/** A length, four letters, content and a checksum make a chunk; IEND is the last. */
function png(bytes: Buffer): Found {
  if (bytes.length < 33 || !hasAt(bytes, 12, 'IHDR')) return undefined;
  let whole = false;
  for (let at = 8; !whole && at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at))
    whole = hasAt(bytes, at + 4, 'IEND');
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), whole };
}

/** Segments follow each other until one that begins a frame: C0 to CF but for tables (C4, CC) and an extension (C8). */
function jpeg(bytes: Buffer): Found {
  let at = 2;
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      const whole = bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) > at;
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5), whole };
    } else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return undefined;
}

function gif(bytes: Buffer): Found {
  if (bytes.length < 13) return undefined;
  // Some writers leave zeros behind the trailer.
  const whole = bytes.subarray(13).lastIndexOf(0x3b) >= 0;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8), whole };
}

function webp(bytes: Buffer): Found {
  if (bytes.length < 30) return undefined;
  const whole = bytes.readUInt32LE(4) + 8 <= bytes.length;
  if (hasAt(bytes, 12, 'VP8X'))
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1, whole };
  if (hasAt(bytes, 12, 'VP8L')) {
    const sizes = bytes.readUInt32LE(21);
    return { width: (sizes & 0x3fff) + 1, height: ((sizes >>> 14) & 0x3fff) + 1, whole };
  }
  if (hasAt(bytes, 12, 'VP8 '))
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff, whole };
  return undefined;
}
