import type { CallId, MessageId, TurnId } from './ids';
import type { ProviderMetadata, ToolCall } from './tool-call';
import type { ToolResult } from './tool-result';

/** A file the user attached to a prompt. */
export interface Mention {
  readonly kind: 'file';
  readonly path: string;
}

export type AssistantPart =
  | { readonly kind: 'text'; readonly text: string; readonly providerMetadata?: ProviderMetadata }
  | { readonly kind: 'reasoning'; readonly text: string; readonly providerMetadata?: ProviderMetadata }
  | { readonly kind: 'call'; readonly call: ToolCall };

/**
 * What the model sees, the only source for requests.
 * A `note` is Belay speaking to the model (a loop was noticed, the user stopped a turn); it is sent as a user message.
 */
export type Message =
  | {
      readonly kind: 'user';
      readonly id: MessageId;
      readonly turnId: TurnId;
      readonly text: string;
      readonly mentions: readonly Mention[];
      readonly attached: string;
    }
  | {
      readonly kind: 'assistant';
      readonly id: MessageId;
      readonly turnId: TurnId;
      readonly parts: readonly AssistantPart[];
    }
  | {
      readonly kind: 'result';
      readonly id: MessageId;
      readonly turnId: TurnId;
      readonly callId: CallId;
      readonly toolName: string;
      readonly result: ToolResult;
    }
  | { readonly kind: 'note'; readonly id: MessageId; readonly turnId: TurnId; readonly text: string };

/** Tokens as the provider counted them; absent where it doesn't say. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedInputTokens?: number;
}
