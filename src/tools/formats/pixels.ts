import { crc32, deflateSync } from 'node:zlib';

/** A picture as it was decoded: rows of one bit (1 is white, each row begins a byte), or of three or four bytes for each pixel. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly form: 'bits' | 'rgb' | 'rgba';
  readonly data: Uint8Array;
}

/** A finished PNG, maybe smaller than what it was made of. */
export interface SmallPng {
  readonly width: number;
  readonly height: number;
  readonly png: Uint8Array;
}

/** Most pixels of a side: models that see make larger pictures smaller themselves. */
const LONGEST_SIDE = 1568;

/** A PNG of at most so many bytes: pixels are averaged until it is small enough. Undefined when the data isn't what it says. */
export function smallPng(pixels: Pixels, maxBytes: number): SmallPng | undefined {
  const { width, height } = pixels;
  if (pixels.data.length < rowBytes(pixels) * height || width < 1 || height < 1) return undefined;
  for (let factor = Math.ceil(Math.max(width, height) / LONGEST_SIDE); factor <= 64; factor++) {
    const small = reduced(pixels, factor);
    const png = pngOf(small);
    if (png.length <= maxBytes) return { width: small.width, height: small.height, png };
  }
  return undefined;
}

function rowBytes({ width, form }: Pixels): number {
  return form === 'bits' ? (width + 7) >> 3 : width * (form === 'rgb' ? 3 : 4);
}

interface Small {
  readonly width: number;
  readonly height: number;
  /** Bytes of a pixel: grey or RGB. */
  readonly channels: 1 | 3;
  readonly data: Uint8Array;
}

/** Each pixel is the mean of a square of that many; what is left over at the edges goes into the last ones. */
function reduced(pixels: Pixels, factor: number): Small {
  const width = Math.max(1, Math.floor(pixels.width / factor));
  const height = Math.max(1, Math.floor(pixels.height / factor));
  const channels = pixels.form === 'bits' ? 1 : 3;
  const data = new Uint8Array(width * height * channels);
  const sums = new Float64Array(width * channels);
  const counts = new Uint32Array(width);
  for (let y = 0; y < height; y++) {
    sums.fill(0);
    counts.fill(0);
    const end = y === height - 1 ? pixels.height : (y + 1) * factor;
    for (let row = y * factor; row < end; row++) addRow(pixels, row, { factor, width, sums, counts });
    for (let at = 0; at < sums.length; at++)
      data[y * sums.length + at] = Math.round((sums[at] ?? 0) / (counts[Math.floor(at / channels)] || 1));
  }
  return { width, height, channels, data };
}

interface Sums {
  readonly factor: number;
  readonly width: number;
  readonly sums: Float64Array;
  readonly counts: Uint32Array;
}

function addRow(pixels: Pixels, row: number, { factor, width, sums, counts }: Sums): void {
  const { data, form } = pixels;
  const start = row * rowBytes(pixels);
  for (let x = 0; x < pixels.width; x++) {
    const to = Math.min(width - 1, Math.floor(x / factor));
    counts[to] = (counts[to] ?? 0) + 1;
    if (form === 'bits') {
      const isWhite = ((data[start + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
      sums[to] = (sums[to] ?? 0) + isWhite * 255;
      continue;
    }
    const from = start + x * (form === 'rgb' ? 3 : 4);
    const opacity = form === 'rgb' ? 1 : (data[from + 3] ?? 0) / 255;
    for (let channel = 0; channel < 3; channel++) {
      const at = to * 3 + channel;
      sums[at] = (sums[at] ?? 0) + (data[from + channel] ?? 0) * opacity + 255 * (1 - opacity);
    }
  }
}

function pngOf({ width, height, channels, data }: Small): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = channels === 1 ? 0 : 2;
  const length = width * channels;
  // Each row says that its bytes are differences from those of the pixel before: pictures get much smaller so.
  const rows = Buffer.alloc(height * (length + 1));
  for (let y = 0; y < height; y++) {
    const to = y * (length + 1);
    rows[to] = 1;
    for (let at = 0; at < length; at++) {
      const before = at < channels ? 0 : (data[y * length + at - channels] ?? 0);
      rows[to + 1 + at] = (data[y * length + at] ?? 0) - before;
    }
  }
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(crc32(typed), 4);
  return Buffer.concat([ends.subarray(0, 4), typed, ends.subarray(4)]);
}
