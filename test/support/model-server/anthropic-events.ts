// Imports by `#test/…` in this folder, also of neighbours: plain Node runs it (main.ts), and needs the file's extension.
import { argumentsOf, finishOf, pieces, type Reply, usageOf } from '#test/support/model-server/script';

const STOP_REASONS = {
  stop: 'end_turn',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  'content-filter': 'refusal',
  unknown: 'ran_out_of_ink',
};

/** A reply as server-sent events of Anthropic's Messages API. */
export function anthropicEvents(reply: Reply, model: string): readonly string[] {
  const usage = usageOf(reply);
  const blocks = [...thinking(reply), ...text(reply), ...calls(reply)];
  const events = [
    {
      type: 'message_start',
      message: {
        id: 'msg_scripted',
        type: 'message',
        role: 'assistant',
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens: usage.input - usage.cached,
          output_tokens: 1,
          cache_read_input_tokens: usage.cached,
          cache_creation_input_tokens: 0,
        },
      },
    },
    { type: 'ping' },
    ...blocks.flatMap(({ start, deltas }, index) => [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    ...ending(reply, usage.output),
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

interface Block {
  readonly start: object;
  readonly deltas: readonly object[];
}

function thinking({ reasoning, signature = 'signed' }: Reply): readonly Block[] {
  if (reasoning === undefined) return [];
  const deltas = [
    ...pieces(reasoning).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
    { type: 'signature_delta', signature },
  ];
  return [{ start: { type: 'thinking', thinking: '', signature: '' }, deltas }];
}

function text(reply: Reply): readonly Block[] {
  if (reply.text === undefined) return [];
  return [
    {
      start: { type: 'text', text: '' },
      deltas: pieces(reply.text).map((piece) => ({ type: 'text_delta', text: piece })),
    },
  ];
}

function calls(reply: Reply): readonly Block[] {
  return (reply.calls ?? []).map((call) => ({
    start: { type: 'tool_use', id: call.id, name: call.name, input: {} },
    deltas: pieces(argumentsOf(call)).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
  }));
}

function ending(reply: Reply, output: number) {
  if (reply.streamError) return [{ type: 'error', error: reply.streamError }];
  if (reply.cut) return [];
  return [
    {
      type: 'message_delta',
      delta: { stop_reason: STOP_REASONS[finishOf(reply)], stop_sequence: null },
      usage: { output_tokens: output },
    },
    { type: 'message_stop' },
  ];
}
