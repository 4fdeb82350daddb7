import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { t } from '#base/l10n';
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
  return messages.length === 0 || messages.length < list.length ? undefined : messages.map(readable);
}

const BRACE = 0x7b;
const BRACKET = 0x5b;

function isMessage(value: unknown): value is JSONRPCMessage {
  return typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0';
}

/**
 * An answer as the SDK takes it, which drops every other: with `"error": null` beside the result, with a result that is no object, with
 * an error without a number. Whoever asked would wait for it until their time is over.
 */
function readable(message: JSONRPCMessage): JSONRPCMessage {
  if (!isAnswer(message)) return message;
  const { id, result, error } = message as { id?: unknown; result?: unknown; error?: unknown };
  if (typeof id !== 'string' && typeof id !== 'number') return message;
  if (typeof result === 'object' && result !== null && !Array.isArray(result))
    return { jsonrpc: '2.0', id, result: result as Record<string, unknown> };
  const {
    code,
    message: words,
    data,
  } = errorSchema.parse(typeof error === 'string' ? { message: error } : error);
  return { jsonrpc: '2.0', id, error: { code, message: words, ...(data === undefined ? {} : { data }) } };
}

const INTERNAL_ERROR = -32603;
const errorSchema = z
  .object({
    code: z.number().int().catch(INTERNAL_ERROR),
    message: z.string().catch(() => unreadable()),
    data: z.unknown().optional(),
  })
  .catch(() => ({ code: INTERNAL_ERROR, message: unreadable(), data: undefined }));

/** Said when it is needed: what is said while the module loads would stay English. */
function unreadable(): string {
  return t('its answer can’t be read');
}

/** Whether it answers a request of ours. */
export function isAnswer(message: JSONRPCMessage): boolean {
  return !('method' in message);
}
