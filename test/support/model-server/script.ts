/** One tool call of a scripted reply. `rawInput` is sent as it is, JSON or not; else `input` as JSON. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly input?: unknown;
  readonly rawInput?: string;
}

/** What the server answers to one request. Parts are sent in this order: reasoning, text, calls. */
export interface Reply {
  readonly reasoning?: string;
  /** Signature (Anthropic, Google) or encrypted content (OpenAI Responses) that must come back unchanged. */
  readonly signature?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Why the reply ends; by default `tool-calls` behind calls, else `stop`. `unknown` is a reason that no client has heard of. */
  readonly finish?: 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'unknown';
  readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number };
  /** An HTTP failure instead of a stream. `retryAfter` becomes the header as it is. */
  readonly error?: {
    readonly status: number;
    readonly retryAfter?: string | number;
    readonly message?: string;
    readonly code?: string;
    readonly body?: string;
  };
  /** An error event inside the stream, behind the parts, with HTTP 200. */
  readonly streamError?: { readonly type: string; readonly message: string };
  /** The stream ends behind the parts without its end: `close` in good order, `reset` by a broken connection. `true` is `reset`. */
  readonly cut?: boolean | 'close' | 'reset';
  /** Milliseconds before the first byte. */
  readonly delayMs?: number;
  /** Milliseconds between the events of the stream. */
  readonly eventMs?: number;
  /** Bytes of each network chunk; one event a chunk without it. */
  readonly chunkBytes?: number;
  /** The body as it is, instead of everything above. */
  readonly raw?: string;
}

export type Api = 'anthropic' | 'openai-chat' | 'openai-responses' | 'google';

/** A request for a reply, as it came. */
export interface RecordedRequest {
  readonly api: Api;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Cuts text into small pieces, never inside a character, as a model streams it. */
export function pieces(text: string, size = 12): readonly string[] {
  const characters = [...text];
  const result: string[] = [];
  for (let i = 0; i < characters.length; i += size) result.push(characters.slice(i, i + size).join(''));
  return result;
}

/** The arguments of a call as text on the wire. */
export function argumentsOf(call: ScriptedCall): string {
  return call.rawInput ?? JSON.stringify(call.input ?? {});
}

/** Why a reply ends, when the script doesn't say. */
export function finishOf(reply: Reply): NonNullable<Reply['finish']> {
  return reply.finish ?? (reply.calls?.length ? 'tool-calls' : 'stop');
}

/** Tokens used, when the script doesn't say. */
export function usageOf(reply: Reply): {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
} {
  return { cached: 0, ...(reply.usage ?? { input: 10, output: 5 }) };
}
