import { z } from 'zod';

/** One message as it came, looked at only on the outside. */
export type Envelope = z.infer<typeof envelope>;

/** A stream that no client can make sense of, or that means harm by its size. The message is for people. */
export class BrokenStream extends Error {
  override readonly name = 'BrokenStream';
}

/** Bytes before a message that may be noise: a server that greets on stdout is borne, one that talks isn't. */
const MOST_HEAD = 64 * 1024;
/** The symbols of a large workspace take some megabytes. */
const MOST_BODY = 64 * 1024 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');

const envelope = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
});

/**
 * The messages of a server's stdout, one after the other, as fast as they are asked for: while nobody asks, the server waits at its pipe.
 * The client library's own reader keeps what it can't read yet without any bound, and searches all of it again with each chunk.
 */
export async function* messages(stream: AsyncIterable<Buffer>): AsyncGenerator<Envelope> {
  let rest: Buffer = Buffer.alloc(0);
  /** The body's length while one is awaited, and what of it came: put together once, not with each chunk. */
  let wanted: number | undefined;
  let pieces: Buffer[] = [];
  let held = 0;
  for await (const chunk of stream) {
    pieces.push(chunk);
    held += chunk.length;
    if (wanted !== undefined && held < wanted) continue;
    rest = Buffer.concat(pieces);
    for (;;) {
      if (wanted === undefined) [rest, wanted] = afterHead(rest);
      if (wanted === undefined || rest.length < wanted) break;
      const body = rest.subarray(0, wanted);
      rest = rest.subarray(wanted);
      wanted = undefined;
      yield parsed(body);
    }
    pieces = [rest];
    held = rest.length;
  }
}

/** What follows the head, and how long the body is; all of it and nothing when the head isn't whole. */
function afterHead(bytes: Buffer): [rest: Buffer, length: number | undefined] {
  const end = bytes.indexOf(HEAD_END);
  if (end > MOST_HEAD || (end < 0 && bytes.length > MOST_HEAD))
    throw new BrokenStream('it writes to stdout what is no message');
  if (end < 0) return [bytes, undefined];
  const head = bytes.toString('latin1', 0, end);
  const length = /^content-length: *(\d{1,15}) *$/im.exec(head)?.[1];
  if (length === undefined) throw new BrokenStream('it sent a message without a length');
  if (Number(length) > MOST_BODY) throw new BrokenStream(`it sent a message of ${length} bytes`);
  return [bytes.subarray(end + HEAD_END.length), Number(length)];
}

function parsed(body: Buffer): Envelope {
  try {
    return envelope.parse(JSON.parse(body.toString()));
  } catch {
    throw new BrokenStream('it sent what is no JSON-RPC message');
  }
}

/** A message as it goes to a server. */
export function framed(message: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}
