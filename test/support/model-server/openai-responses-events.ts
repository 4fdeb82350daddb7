import {
  argumentsOf,
  finishOf,
  pieces,
  type Reply,
  type ScriptedCall,
  usageOf,
} from '#test/support/model-server/script';

/** A reply as server-sent events of OpenAI's Responses API. */
export function openaiResponsesEvents(reply: Reply, model: string): readonly string[] {
  const response = { id: 'resp_scripted', object: 'response', created_at: 1, model, service_tier: 'default' };
  const items = [...reasoning(reply), ...message(reply), ...(reply.calls ?? []).map(functionCall)];
  const events = [
    { type: 'response.created', response: { ...response, status: 'in_progress' } },
    ...items.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item: item.begun },
      ...item.deltas.map((delta) => ({ ...delta, output_index })),
      { type: 'response.output_item.done', output_index, item: item.done },
    ]),
    ...ending(reply, response),
  ];
  return events.map(
    (event, sequence_number) =>
      `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`,
  );
}

interface Item {
  readonly begun: object;
  readonly deltas: readonly { readonly type: string }[];
  readonly done: object;
}

function reasoning({ reasoning: text, signature = 'encrypted' }: Reply): readonly Item[] {
  if (text === undefined) return [];
  const item = { type: 'reasoning', id: 'rs_scripted' };
  return [
    {
      begun: { ...item, summary: [], encrypted_content: null },
      deltas: pieces(text).map((delta) => ({
        type: 'response.reasoning_summary_text.delta',
        item_id: item.id,
        summary_index: 0,
        delta,
      })),
      done: { ...item, summary: [{ type: 'summary_text', text }], encrypted_content: signature },
    },
  ];
}

function message({ text }: Reply): readonly Item[] {
  if (text === undefined) return [];
  const item = { type: 'message', id: 'msg_scripted', role: 'assistant' };
  return [
    {
      begun: { ...item, status: 'in_progress', content: [] },
      deltas: pieces(text).map((delta) => ({
        type: 'response.output_text.delta',
        item_id: item.id,
        content_index: 0,
        delta,
      })),
      done: { ...item, status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] },
    },
  ];
}

function functionCall(call: ScriptedCall, index: number): Item {
  const item = { type: 'function_call', id: `fc_scripted_${index}`, call_id: call.id, name: call.name };
  return {
    begun: { ...item, status: 'in_progress', arguments: '' },
    deltas: pieces(argumentsOf(call)).map((delta) => ({
      type: 'response.function_call_arguments.delta',
      item_id: item.id,
      delta,
    })),
    done: { ...item, status: 'completed', arguments: argumentsOf(call) },
  };
}

function ending(reply: Reply, response: object) {
  if (reply.streamError) {
    return [{ type: 'error', code: reply.streamError.type, message: reply.streamError.message, param: null }];
  }
  if (reply.cut) return [];
  const usage = usageOf(reply);
  const counted = {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cached },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.input + usage.output,
  };
  const reason = incompleteReason(finishOf(reply));
  if (reason === undefined) {
    return [{ type: 'response.completed', response: { ...response, status: 'completed', usage: counted } }];
  }
  return [
    {
      type: 'response.incomplete',
      response: { ...response, status: 'incomplete', incomplete_details: { reason }, usage: counted },
    },
  ];
}

function incompleteReason(finish: NonNullable<Reply['finish']>): string | undefined {
  switch (finish) {
    case 'length':
      return 'max_output_tokens';
    case 'content-filter':
      return 'content_filter';
    case 'unknown':
      return 'ran_out_of_ink';
    default:
      return undefined;
  }
}
