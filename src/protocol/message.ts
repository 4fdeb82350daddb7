import type { ArtifactId, CallId, MessageId, TurnId } from './ids';
import type { ProviderMetadata, ToolCall } from './tool-call';
import type { ResultImage, ToolResult } from './tool-result';

/** What the user attached to a prompt. */
export type Mention =
  | { readonly kind: 'file'; readonly path: string }
  /** Something that a contribution offers; `name` is what people see. */
  | { readonly kind: 'resource'; readonly uri: string; readonly name: string };

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
      /** Pictures of what is attached, for models that see. */
      readonly images?: readonly ResultImage[];
      /** Long texts of which `attached` has head and tail. */
      readonly artifacts?: readonly ArtifactId[];
    }
  | {
      readonly kind: 'assistant';
      readonly id: MessageId;
      readonly turnId: TurnId;
      readonly parts: readonly AssistantPart[];
      /** `provider/model` that said it: what it signed is handed back to no other. Absent in sessions of earlier versions. */
      readonly modelId?: string;
    }
  | {
      readonly kind: 'result';
      readonly id: MessageId;
      readonly turnId: TurnId;
      readonly callId: CallId;
      readonly toolName: string;
      readonly result: ToolResult;
    }
  | { readonly kind: 'note'; readonly id: MessageId; readonly turnId: TurnId; readonly text: string }
  | CompactionMessage;

/**
 * From here on requests leave out a part of what was said before. Nothing is deleted: a rewind to before this message brings all of it
 * back, and where it names what isn't there, nothing is left out.
 */
export interface CompactionMessage {
  readonly kind: 'compaction';
  readonly id: MessageId;
  readonly turnId: TurnId;
  /** Results that are sent without their output. */
  readonly leftOut: readonly LeftOut[];
  /** Stands for all messages before the one that it names. */
  readonly summary?: { readonly text: string; readonly from: MessageId };
}

/** An output that isn't sent any more. */
export interface LeftOut {
  readonly callId: CallId;
  /** Where all of it can be read. */
  readonly artifact?: ArtifactId;
}

/** A message as requests take it: what compactions say has been done. */
export type SentMessage = Exclude<Message, CompactionMessage>;

/** Tokens as the provider counted them; absent where it doesn't say. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedInputTokens?: number;
}

/** Tokens of the conversation, and how many the model's window holds. */
export interface ContextUse {
  readonly used: number;
  readonly window: number;
}
