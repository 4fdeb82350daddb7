// The text of these functions is taken and run in another process (bridge.ts): they may name nothing of their module but
// types, and use nothing for which a compiler would call a helper.
import type { Socket } from 'node:net';
import type { FRAME } from './frames';

/** All that the bridge knows; it is sent along with its text. */
export interface BridgeFacts {
  readonly port: number;
  /** The inherited socket. */
  readonly fd: number;
  readonly frame: typeof FRAME;
  readonly headBytes: number;
  readonly mostBytes: number;
  readonly windowBytes: number;
}

type Send = (kind: number, connection: number, value: number, data?: Buffer) => void;
type Take = (kind: number, connection: number, value: number, data: Buffer) => void;

/** Frames over the inherited socket; the other end keeps to the rules, so nothing is checked here. */
export function bridgeLink(link: Socket, { frame, headBytes }: BridgeFacts) {
  const send: Send = (kind, connection, value, data) => {
    const head = Buffer.alloc(headBytes);
    head.writeUInt8(kind, 0);
    head.writeUInt32BE(connection, 1);
    head.writeUInt32BE(value, 5);
    link.write(data ? Buffer.concat([head, data]) : head);
  };
  const onFrame = (take: Take) => {
    let kept = Buffer.alloc(0);
    link.on('data', (chunk: Buffer) => {
      let bytes = Buffer.concat([kept, chunk]);
      while (bytes.length >= headBytes) {
        const kind = bytes.readUInt8(0);
        const value = bytes.readUInt32BE(5);
        const end = headBytes + (kind === frame.data ? value : 0);
        if (bytes.length < end) break;
        take(kind, bytes.readUInt32BE(1), value, bytes.subarray(headBytes, end));
        bytes = bytes.subarray(end);
      }
      kept = bytes;
    });
  };
  return { send, onFrame };
}

/** The sockets of those who have connected, by number: none sends more than it was granted, none is read faster than that. */
export function bridgeSockets(send: Send, { frame, mostBytes, windowBytes }: BridgeFacts) {
  interface Carried {
    readonly socket: Socket;
    maySend: number;
    unsent: Buffer;
    isEnded: boolean;
    isEndSent: boolean;
    isClosed: boolean;
  }
  const carried = new Map<number, Carried>();
  let last = 0;

  const forward = (connection: number, one: Carried, data: Buffer) => {
    one.unsent = data;
    while (one.unsent.length > 0 && one.maySend > 0) {
      const part = one.unsent.subarray(0, Math.min(one.maySend, mostBytes));
      one.maySend -= part.length;
      one.unsent = one.unsent.subarray(part.length);
      send(frame.data, connection, part.length, part);
    }
    if (one.unsent.length > 0) one.socket.pause();
    else one.socket.resume();
    settle(connection, one);
  };

  /** The end of a socket is heard even while it rests: what is unsent goes first. */
  const settle = (connection: number, one: Carried) => {
    if (one.unsent.length > 0) return;
    if (one.isEnded && !one.isEndSent) send(frame.end, connection, 0);
    one.isEndSent = one.isEnded;
    if (one.isClosed) carried.delete(connection);
  };

  const carry = (socket: Socket) => {
    const connection = ++last;
    const flags = { isEnded: false, isEndSent: false, isClosed: false };
    const one: Carried = { socket, maySend: windowBytes, unsent: Buffer.alloc(0), ...flags };
    carried.set(connection, one);
    send(frame.open, connection, 0);
    socket.on('data', (chunk: Buffer) => forward(connection, one, chunk));
    socket.on('end', () => {
      one.isEnded = true;
      settle(connection, one);
    });
    socket.on('close', () => {
      one.isClosed = true;
      settle(connection, one);
    });
    socket.on('error', () => {
      if (carried.delete(connection)) send(frame.reset, connection, 0);
    });
  };

  const take: Take = (kind, connection, value, data) => {
    const one = carried.get(connection);
    if (!one) return;
    if (kind === frame.data) one.socket.write(data, () => send(frame.credit, connection, data.length));
    else if (kind === frame.end) one.socket.end();
    else if (kind === frame.credit) {
      one.maySend += value;
      forward(connection, one, one.unsent);
    } else if (kind === frame.reset) {
      carried.delete(connection);
      one.socket.destroy();
    }
  };
  return { carry, take };
}
