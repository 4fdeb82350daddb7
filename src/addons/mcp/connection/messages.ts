import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { withinDepth } from './depth';

/**
 * The messages of one line; undefined when it is none, such as a greeting that a program prints. What a message says is judged by whoever
 * handles it; older servers may send several in a list.
 */
export function readMessages(line: string): readonly JSONRPCMessage[] | undefined {
  const first = line.charCodeAt(0);
  if (first !== BRACE && first !== BRACKET) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  withinDepth(value);
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const messages = list.filter(isMessage);
  return messages.length === 0 || messages.length < list.length ? undefined : messages;
}

const BRACE = 0x7b;
const BRACKET = 0x5b;

function isMessage(value: unknown): value is JSONRPCMessage {
  return typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0';
}

/** Whether it answers a request of ours. */
export function isAnswer(message: JSONRPCMessage): boolean {
  return !('method' in message);
}
