import { argumentsOf, finishOf, pieces, type Reply, usageOf } from '#test/support/model-server/script';

const FINISH_REASONS = {
  stop: 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  'content-filter': 'content_filter',
  unknown: 'ran_out_of_ink',
};

/** A reply as server-sent events of OpenAI's Chat Completions, with the `reasoning_content` that local servers add. */
export function openaiChatEvents(reply: Reply, model: string): readonly string[] {
  const chunk = (choices: readonly object[], more: object = {}) =>
    `data: ${JSON.stringify({ id: 'chatcmpl-scripted', object: 'chat.completion.chunk', created: 1, model, choices, ...more })}\n\n`;
  const delta = (fields: object) => chunk([{ index: 0, delta: fields, finish_reason: null }]);
  return [
    delta({ role: 'assistant', content: '' }),
    ...pieces(reply.reasoning ?? '').map((piece) => delta({ reasoning_content: piece })),
    ...pieces(reply.text ?? '').map((piece) => delta({ content: piece })),
    ...(reply.calls ?? []).flatMap((call, index) => [
      delta({
        tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }],
      }),
      ...pieces(argumentsOf(call)).map((piece) =>
        delta({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    ...ending(reply, chunk),
  ];
}

function ending(
  reply: Reply,
  chunk: (choices: readonly object[], more?: object) => string,
): readonly string[] {
  if (reply.streamError) return [`data: ${JSON.stringify({ error: reply.streamError })}\n\n`];
  if (reply.cut) return [];
  const usage = usageOf(reply);
  return [
    chunk([{ index: 0, delta: {}, finish_reason: FINISH_REASONS[finishOf(reply)] }]),
    chunk([], {
      usage: {
        prompt_tokens: usage.input,
        completion_tokens: usage.output,
        total_tokens: usage.input + usage.output,
        prompt_tokens_details: { cached_tokens: usage.cached },
      },
    }),
    'data: [DONE]\n\n',
  ];
}
