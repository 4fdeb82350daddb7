import { z } from 'zod';
import { callFault, pairingFault, parsed } from '#test/support/model-server/pairing';

const messageSchema = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('system'), content: z.string() }),
  z.looseObject({ role: z.literal('developer'), content: z.string() }),
  z.looseObject({
    role: z.literal('user'),
    content: z.union([z.string().min(1), z.array(z.unknown()).min(1)]),
  }),
  z.looseObject({
    role: z.literal('assistant'),
    content: z.string().nullish(),
    tool_calls: z
      .array(
        z.looseObject({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }),
      )
      .optional(),
  }),
  z.looseObject({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string() }),
]);
const bodySchema = z.looseObject({
  model: z.string(),
  stream: z.literal(true),
  messages: z.array(messageSchema).min(1),
});

/** What OpenAI's Chat Completions, and the strict ones among its imitators, would refuse. */
export function openaiChatFault(body: unknown): string | undefined {
  const result = bodySchema.safeParse(body);
  if (!result.success) return z.prettifyError(result.error);
  const { messages } = result.data;
  const seen = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user' && messages[index - 1]?.role === 'user')
      return `messages[${index}]: roles must alternate`;
    if (message.role === 'tool' && !seen.has(message.tool_call_id))
      return `messages[${index}]: no such tool call`;
    if (message.role !== 'assistant') continue;
    const calls = (message.tool_calls ?? []).map(({ id, function: called }) => ({
      id,
      name: called.name,
      input: parsed(called.arguments),
    }));
    if (!message.content && calls.length === 0) return `messages[${index}]: content is missing`;
    const fault =
      calls.map((call) => callFault(call, seen)).find((each) => each !== undefined) ??
      pairingFault(
        calls.map((call) => call.id),
        answersBehind(messages, index),
      );
    if (fault) return `messages[${index}]: tool_calls: ${fault}`;
  }
  return undefined;
}

function answersBehind(messages: readonly z.infer<typeof messageSchema>[], index: number): readonly string[] {
  const ids: string[] = [];
  for (const message of messages.slice(index + 1)) {
    if (message.role !== 'tool') break;
    ids.push(message.tool_call_id);
  }
  return ids;
}
