import {
  argumentsOf,
  finishOf,
  pieces,
  type Reply,
  type ScriptedCall,
  usageOf,
} from '#test/support/model-server/script';

const FINISH_REASONS = {
  stop: 'STOP',
  'tool-calls': 'STOP',
  length: 'MAX_TOKENS',
  'content-filter': 'SAFETY',
  unknown: 'RAN_OUT_OF_INK',
};

/** A reply as server-sent events of Google's `streamGenerateContent`. Its calls come whole, arguments parsed. */
export function googleEvents(reply: Reply, model: string): readonly string[] {
  const { signature = 'signed' } = reply;
  const chunk = (parts: readonly object[], more: object = {}) => {
    const candidate = { content: { role: 'model', parts }, index: 0, ...more };
    return `data: ${JSON.stringify({ candidates: [candidate], modelVersion: model, responseId: 'scripted', usageMetadata: usageMetadata(reply) })}\r\n\r\n`;
  };
  const ending =
    reply.cut || reply.streamError ? [] : [chunk([], { finishReason: FINISH_REASONS[finishOf(reply)] })];
  const error = reply.streamError
    ? [
        `data: ${JSON.stringify({ error: { code: 503, status: reply.streamError.type, message: reply.streamError.message } })}\r\n\r\n`,
      ]
    : [];
  return [
    ...pieces(reply.reasoning ?? '').map((text) => chunk([{ text, thought: true }])),
    ...pieces(reply.text ?? '').map((text) => chunk([{ text }])),
    ...(reply.calls ?? []).map((call, index) =>
      chunk([{ functionCall: functionCall(call), ...(index === 0 ? { thoughtSignature: signature } : {}) }]),
    ),
    ...error,
    ...ending,
  ];
}

function functionCall(call: ScriptedCall): object {
  const raw = argumentsOf(call);
  try {
    return { id: call.id, name: call.name, args: JSON.parse(raw) };
  } catch {
    return { id: call.id, name: call.name, args: raw };
  }
}

function usageMetadata(reply: Reply): object {
  const usage = usageOf(reply);
  return {
    promptTokenCount: usage.input,
    candidatesTokenCount: usage.output,
    cachedContentTokenCount: usage.cached,
    totalTokenCount: usage.input + usage.output,
  };
}
