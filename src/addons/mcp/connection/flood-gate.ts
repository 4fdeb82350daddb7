import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { withinDepth } from './depth';
import { isAnswer } from './messages';

/** How many messages that nobody asked for a server may send at once, and then per second. */
const BURST = 500;
const PER_SECOND = 200;

/**
 * Lets through what a sound server sends, and drops the rest of a flood: a server that says a thousand times a second that something
 * changed must cost no more than one that says it once. Answers that are waited for don't pass here.
 */
export class FloodGate {
  readonly #now: () => number;
  #left = BURST;
  #at: number;
  #dropped = 0;

  /** `now` in milliseconds, never going back. */
  constructor(now: () => number) {
    this.#now = now;
    this.#at = now();
  }

  /** Whether one more may pass. */
  passes(): boolean {
    const now = this.#now();
    this.#left = Math.min(BURST, this.#left + ((now - this.#at) * PER_SECOND) / 1000);
    this.#at = now;
    if (this.#left < 1) {
      this.#dropped += 1;
      return false;
    }
    this.#left -= 1;
    return true;
  }

  /** How many were dropped since it was asked last. */
  takeDropped(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }
}

/** What a gate's owner knows of time, and whom it tells. */
export interface GatePorts {
  log(line: string): void;
  readonly clock: { monotonic(): number };
}

/** Puts a gate before a transport of the SDK: whoever listens to it is told only what passes, and of that no more than anybody can read. */
export function guardMessages(transport: Transport, ports: GatePorts): void {
  const gate = messageGate(ports);
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    gate.sent(message);
    return send(message, options);
  };
  let heard: Transport['onmessage'];
  Object.defineProperty(transport, 'onmessage', {
    get: () => heard,
    set: (listener: NonNullable<Transport['onmessage']>) => {
      heard = (message, extra) => {
        if (gate.passes(message)) listener(withinDepth(message), extra);
      };
    },
  });
}

const TELL_MS = 1000;

/** What a transport tells of what it sends, and asks of what it hears. */
export interface MessageGate {
  sent(message: JSONRPCMessage): void;
  passes(message: JSONRPCMessage): boolean;
}

/** Answers that are waited for always pass, the rest as far as the gate lets it. What is dropped is told once in a while. */
export function messageGate({ log, clock }: GatePorts): MessageGate {
  const gate = new FloodGate(() => clock.monotonic());
  const awaited = new Set<string>();
  let isTelling = false;
  const sent = (message: JSONRPCMessage) => {
    if (!isAnswer(message) && 'id' in message) awaited.add(String(message.id));
  };
  const passes = (message: JSONRPCMessage) => {
    const isAwaited = isAnswer(message) && 'id' in message && awaited.delete(String(message.id));
    if (isAwaited || gate.passes()) return true;
    if (!isTelling) {
      isTelling = true;
      setTimeout(() => {
        isTelling = false;
        log(`Belay: left out ${gate.takeDropped()} messages that came too fast`);
      }, TELL_MS).unref();
    }
    return false;
  };
  return { sent, passes };
}
