import { type Attached, NOTHING_ATTACHED } from '#agent/contributed/attached';
import { sentMessages } from '#models/sent-messages';
import type { CallId, MessageId, TurnId } from '#protocol/ids';
import type { AssistantPart, CompactionMessage, Mention, Message, SentMessage } from '#protocol/message';
import type { ToolCall } from '#protocol/tool-call';
import type { ToolResult } from '#protocol/tool-result';

/** What the model sees of a session, kept in memory while the session is open. Each message is recorded by whoever makes it. */
export class Conversation {
  readonly #newId: () => MessageId;
  readonly #load: () => readonly Message[];
  #messages: Message[] | undefined;
  #sent: { readonly of: readonly Message[]; readonly messages: readonly SentMessage[] } | undefined;

  /** `load` reads what is recorded, at first use: to look at an old session it isn't needed. */
  constructor(newId: () => MessageId, load: () => readonly Message[] = () => []) {
    this.#newId = newId;
    this.#load = load;
  }

  get messages(): readonly Message[] {
    this.#messages ??= [...this.#load()];
    return this.#messages;
  }

  /** What a request takes of them. */
  get sent(): readonly SentMessage[] {
    const of = this.messages;
    if (this.#sent?.of !== of) this.#sent = { of, messages: sentMessages(of) };
    return this.#sent.messages;
  }

  /** After a rewind: what counts is read anew. */
  reset(): void {
    this.#messages = undefined;
  }

  user(
    turnId: TurnId,
    text: string,
    mentions: readonly Mention[] = [],
    attached: Attached = NOTHING_ATTACHED,
  ): Message {
    const { images, artifacts } = attached;
    return this.#add({
      ...{ kind: 'user', id: this.#newId(), turnId, text, mentions, attached: attached.text },
      ...(images.length > 0 ? { images } : {}),
      ...(artifacts.length > 0 ? { artifacts } : {}),
    });
  }

  /** Belay speaking to the model. */
  note(turnId: TurnId, text: string): Message {
    return this.#add({ kind: 'note', id: this.#newId(), turnId, text });
  }

  assistant(turnId: TurnId, parts: readonly AssistantPart[], modelId: string): Message {
    return this.#add({ kind: 'assistant', id: this.#newId(), turnId, parts, modelId });
  }

  /** From here on requests leave something out. */
  compaction(turnId: TurnId, change: Pick<CompactionMessage, 'leftOut' | 'summary'>): Message {
    return this.#add({ kind: 'compaction', id: this.#newId(), turnId, ...change });
  }

  result(turnId: TurnId, call: Pick<ToolCall, 'id' | 'name'>, result: ToolResult): Message {
    return this.#add({
      kind: 'result',
      id: this.#newId(),
      turnId,
      callId: call.id,
      toolName: call.name,
      result,
    });
  }

  /** Calls that have no result yet, in order. */
  openCalls(): readonly { readonly turnId: TurnId; readonly call: ToolCall }[] {
    const closed = new Set<CallId>();
    for (const message of this.messages) if (message.kind === 'result') closed.add(message.callId);
    return this.messages.flatMap((message) =>
      message.kind !== 'assistant'
        ? []
        : message.parts.flatMap((part) =>
            part.kind === 'call' && !closed.has(part.call.id)
              ? [{ turnId: message.turnId, call: part.call }]
              : [],
          ),
    );
  }

  #add<M extends Message>(message: M): M {
    this.#messages = [...this.messages, message];
    return message;
  }
}
