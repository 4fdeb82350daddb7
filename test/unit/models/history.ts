import { modelOf } from '#models/load-model';
import type { ModelEvent, ModelRequest } from '#models/model';
import type { ProviderConfig } from '#models/provider';
import type { CallId, MessageId, TurnId } from '#protocol/ids';
import type { AssistantPart, SentMessage } from '#protocol/message';
import type { ToolResult } from '#protocol/tool-result';
import type { Api } from '#test/support/model-server/script';

const turnId = 'turn-1' as TurnId;
let messages = 0;
const id = () => `message-${++messages}` as MessageId;

export const user = (text: string, attached = ''): SentMessage => ({
  kind: 'user',
  id: id(),
  turnId,
  text,
  mentions: [],
  attached,
});
export const note = (text: string): SentMessage => ({ kind: 'note', id: id(), turnId, text });
export const assistant = (...parts: AssistantPart[]): SentMessage => ({
  kind: 'assistant',
  id: id(),
  turnId,
  parts,
});

export const callPart = (
  ownId: string,
  fields: { providerId?: string; name?: string; rawInput?: string } = {},
): AssistantPart => ({
  kind: 'call',
  call: {
    id: ownId as CallId,
    providerId: ownId,
    name: 'read_file',
    rawInput: '{"path":"a.txt"}',
    ...fields,
  },
});

export const result = (callId: string, content: string, fields: Partial<ToolResult> = {}): SentMessage => ({
  kind: 'result',
  id: id(),
  turnId,
  callId: callId as CallId,
  toolName: 'read_file',
  result: { version: 1, status: 'success', content, ...fields },
});

export const READ_FILE = {
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, additionalProperties: false },
};

export function requestOf(history: readonly SentMessage[], fields: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: 'You are a test.',
    messages: history,
    tools: [READ_FILE],
    signal: new AbortController().signal,
    ...fields,
  };
}

/** The endpoint of a scripted server for one of the four APIs. */
export function configOf(api: Api, url: string): ProviderConfig {
  switch (api) {
    case 'anthropic':
      return { kind: 'anthropic', id: 'anthropic', name: 'Anthropic', baseUrl: `${url}/v1`, keyName: 'k' };
    case 'openai-chat':
      return { kind: 'compatible', id: 'local', name: 'Local', baseUrl: `${url}/v1` };
    case 'openai-responses':
      return { kind: 'openai', id: 'openai', name: 'OpenAI', baseUrl: `${url}/v1`, keyName: 'k' };
    case 'google':
      return { kind: 'google', id: 'google', name: 'Google', baseUrl: `${url}/v1beta`, keyName: 'k' };
  }
}

/** A model id of each API that its provider package knows to reason. */
export const MODEL_IDS: Readonly<Record<Api, string>> = {
  anthropic: 'claude-sonnet-4-5',
  'openai-chat': 'qwen3',
  'openai-responses': 'gpt-5',
  google: 'gemini-2.5-pro',
};

export function modelAt(api: Api, url: string, key = 'secret-key-123') {
  return modelOf(configOf(api, url), { id: MODEL_IDS[api] }, { key: async () => key, fetch });
}

export async function eventsOf(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** A reply without its deltas, which say the same again. */
export async function wholeOf(stream: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  return (await eventsOf(stream)).filter((event) => event.kind !== 'text' && event.kind !== 'reasoning');
}
