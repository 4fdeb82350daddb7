/**
 * What goes over the one socket between the bridge inside and the gateway outside: many connections, each with a number that
 * the bridge gives it. A frame is a head of nine bytes (kind, connection, value; big-endian) and, for `data`, `value` bytes.
 */
export const FRAME = {
  /** From inside alone: somebody has connected. */
  open: 1,
  data: 2,
  /** Nothing more comes from this side. */
  end: 3,
  /** It is over, both ways. */
  reset: 4,
  /** `value` more bytes may be sent: so many have been passed on. */
  credit: 5,
} as const;

export type FrameKind = (typeof FRAME)[keyof typeof FRAME];

export interface Frame {
  readonly kind: number;
  readonly connection: number;
  readonly value: number;
  readonly data: Buffer;
}

export const HEAD_BYTES = 9;
/** So many bytes of one connection may be under way in one direction; nobody has to keep more than that. */
export const WINDOW_BYTES = 262_144;
export const MOST_DATA_BYTES = 65_536;

const NOTHING = Buffer.alloc(0);

export function frameBytes(kind: FrameKind, connection: number, value: number | Uint8Array = 0): Buffer {
  const data = typeof value === 'number' ? NOTHING : value;
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + data.length);
  bytes.writeUInt8(kind, 0);
  bytes.writeUInt32BE(connection, 1);
  bytes.writeUInt32BE(typeof value === 'number' ? value : data.length, 5);
  bytes.set(data, HEAD_BYTES);
  return bytes;
}

/** Puts frames together from chunks as they come. What it keeps is never more than one frame. */
export class FrameReader {
  #kept: Buffer = NOTHING;

  /** The frames that are whole now; undefined when the bytes are no frames. */
  read(chunk: Buffer): readonly Frame[] | undefined {
    let bytes: Buffer = this.#kept.length === 0 ? chunk : Buffer.concat([this.#kept, chunk]);
    const frames: Frame[] = [];
    while (bytes.length >= HEAD_BYTES) {
      const kind = bytes.readUInt8(0);
      const value = bytes.readUInt32BE(5);
      const size = kind === FRAME.data ? value : 0;
      if (size > MOST_DATA_BYTES) return undefined;
      if (bytes.length < HEAD_BYTES + size) break;
      const data = bytes.subarray(HEAD_BYTES, HEAD_BYTES + size);
      frames.push({ kind, connection: bytes.readUInt32BE(1), value, data });
      bytes = bytes.subarray(HEAD_BYTES + size);
    }
    this.#kept = bytes;
    return frames;
  }
}
