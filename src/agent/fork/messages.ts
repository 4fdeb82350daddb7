import type { CallId, MessageId } from '#protocol/ids';
import type { Message } from '#protocol/message';
import type { ToolCall } from '#protocol/tool-call';

/** A message and the sequence of the event that it came with. */
export interface PlacedMessage {
  readonly sequence: number;
  readonly body: Message;
}

/**
 * The same messages with a result for every call: a call that a turn left open when it broke off is told to have been left open,
 * right behind the results of its batch. No provider takes a history in which a call has none.
 */
export function withEveryResult(
  messages: readonly PlacedMessage[],
  newId: () => MessageId,
): readonly PlacedMessage[] {
  const answered = new Set<CallId>();
  for (const { body } of messages) if (body.kind === 'result') answered.add(body.callId);
  const whole: PlacedMessage[] = [];
  let open: PlacedMessage[] = [];
  for (const message of messages) {
    if (message.body.kind !== 'result') whole.push(...open.splice(0));
    whole.push(message);
    if (message.body.kind === 'assistant') open = leftOpen(message, answered, newId);
  }
  return [...whole, ...open];
}

function leftOpen(
  { sequence, body }: PlacedMessage,
  answered: ReadonlySet<CallId>,
  newId: () => MessageId,
): PlacedMessage[] {
  if (body.kind !== 'assistant') return [];
  return body.parts.flatMap((part) =>
    part.kind === 'call' && !answered.has(part.call.id)
      ? [{ sequence, body: unknownResult(part.call, body.turnId, newId()) }]
      : [],
  );
}

function unknownResult({ id, name }: ToolCall, turnId: Message['turnId'], messageId: MessageId): Message {
  const content = `${name}: its turn broke off, and nobody knows whether it ran. It was not run again. Look at the present state.`;
  const result = { version: 1, status: 'unknown', code: 'interrupted', retryable: false, content } as const;
  return { kind: 'result', id: messageId, turnId, callId: id, toolName: name, result };
}
