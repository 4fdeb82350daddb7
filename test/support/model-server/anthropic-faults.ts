import { z } from 'zod';
import { callFault, pairingFault } from '#test/support/model-server/pairing';

const blockSchema = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('text'),
    text: z.string().regex(/\S/, 'text content blocks must contain non-whitespace text'),
  }),
  z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string().min(1) }),
  z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() }),
  z.looseObject({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() }),
  z.looseObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.union([z.string().min(1), z.array(z.looseObject({ type: z.enum(['text', 'image']) })).min(1)]),
  }),
]);
type Block = z.infer<typeof blockSchema>;
const bodySchema = z.looseObject({
  model: z.string(),
  max_tokens: z.number().positive(),
  stream: z.literal(true),
  messages: z
    .array(z.looseObject({ role: z.enum(['user', 'assistant']), content: z.array(blockSchema).min(1) }))
    .min(1),
});

/** What Anthropic's Messages API would refuse. */
export function anthropicFault(body: unknown): string | undefined {
  const result = bodySchema.safeParse(body);
  if (!result.success) return z.prettifyError(result.error);
  const { messages } = result.data;
  if (messages[0]?.role !== 'user') return 'messages: first message must use the "user" role';
  if (messages.at(-1)?.role !== 'user') return 'messages: the conversation must end with a user message';
  if (countMarks(body) > 4) return 'A maximum of 4 blocks with cache_control may be provided.';
  const seen = new Set<string>();
  for (const [index, { role, content }] of messages.entries()) {
    if (role === messages[index - 1]?.role) return `messages.${index}: roles must alternate`;
    const fault = role === 'assistant' ? assistantFault(content, seen) : userFault(content);
    if (fault) return `messages.${index}: ${fault}`;
    const [calls, results] =
      role === 'assistant'
        ? [content, messages[index + 1]?.content ?? []]
        : [messages[index - 1]?.content ?? [], content];
    const unpaired = pairingFault(
      calls.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])),
      results.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : [])),
    );
    if (unpaired) return `messages.${index}: tool_use: ${unpaired}`;
  }
  return undefined;
}

function assistantFault(content: readonly Block[], seen: Set<string>): string | undefined {
  if (content.some(({ type }) => type === 'tool_result')) return 'tool_result blocks are a user message’s';
  if (content.every(({ type }) => /thinking/.test(type))) return 'thinking must lead to something';
  if (/thinking/.test(content.at(-1)?.type ?? '')) return 'the final block cannot be thinking';
  const uses = content.filter((block) => block.type === 'tool_use');
  return uses.map((use) => callFault(use, seen)).find((each) => each !== undefined);
}

function userFault(content: readonly Block[]): string | undefined {
  if (content.some(({ type }) => type === 'tool_use' || /thinking/.test(type)))
    return 'only a model calls and thinks';
  const text = content.findIndex(({ type }) => type !== 'tool_result');
  const late = text < 0 ? false : content.slice(text).some(({ type }) => type === 'tool_result');
  return late ? 'tool_result blocks must come first in the content' : undefined;
}

function countMarks(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  const inner = Object.entries(value).map(([key, each]) =>
    key === 'cache_control' && each ? 1 : countMarks(each),
  );
  return inner.reduce((sum, n) => sum + n, 0);
}
