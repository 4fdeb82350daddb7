import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { ProviderMetadata } from '#protocol/tool-call';
import type { ModelEvent } from './model';

type CallEvent = Extract<ModelEvent, { kind: 'call' }>;

interface Block {
  readonly kind: 'text' | 'reasoning';
  /** Its place among all that began in the reply. */
  readonly place: number;
  text: string;
  metadata: ProviderMetadata | undefined;
}

interface PendingCall {
  readonly name: string;
  readonly place: number;
  input: string;
}

/**
 * Gathers a reply's stream parts into whole blocks and calls. Calls are held back until the reply's end says whether the output
 * limit fell into the last of them.
 */
export class ReplyParts {
  readonly #blocks = new Map<string, Block>();
  readonly #pending = new Map<string, PendingCall>();
  readonly #calls: { readonly event: CallEvent; readonly place: number }[] = [];
  /** Places of the blocks that were handed on. */
  readonly #closed: number[] = [];
  #begun = 0;
  /** The last thing that came was (part of) a call, so a cut is inside it. */
  #endsInCall = false;

  *add(part: LanguageModelV4StreamPart): Generator<ModelEvent> {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        this.#blocks.set(blockId(part), this.#begin(part));
        break;
      case 'text-delta':
      case 'reasoning-delta': {
        const block = this.#blockOf(part);
        block.text += part.delta;
        if (part.delta === '') break;
        this.#endsInCall = false;
        yield { kind: block.kind, delta: part.delta };
        break;
      }
      case 'text-end':
      case 'reasoning-end': {
        const block = this.#blockOf(part);
        this.#blocks.delete(blockId(part));
        yield* this.#close(block);
        break;
      }
      case 'tool-input-start':
        this.#pending.set(part.id, { name: part.toolName, input: '', place: this.#begun++ });
        this.#endsInCall = true;
        break;
      case 'tool-input-delta': {
        const pending = this.#pending.get(part.id);
        if (pending) pending.input += part.delta;
        break;
      }
      case 'tool-call':
        // Tools that run at the provider are never asked for; a call of one has no place in Belay's history.
        if (part.providerExecuted) break;
        this.#endsInCall = true;
        this.#calls.push({
          event: call(part.toolCallId, part.toolName, part.input, part.providerMetadata),
          place: this.#pending.get(part.toolCallId)?.place ?? this.#begun++,
        });
        this.#pending.delete(part.toolCallId);
        break;
      default:
        break;
    }
  }

  /** Blocks that the provider left open. */
  *closeBlocks(): Generator<ModelEvent> {
    for (const block of this.#blocks.values()) yield* this.#close(block);
    this.#blocks.clear();
  }

  /** All calls of the reply in order. Those begun and never closed count as cut, and so does the last when the limit fell into it. */
  calls({ cut }: { readonly cut: boolean }): readonly CallEvent[] {
    const begun = [...this.#pending].map(([id, { name, input, place }]) =>
      this.#placed({ ...call(id, name, input), cut: true }, place),
    );
    const whole = this.#calls.map(({ event, place }) => this.#placed(event, place));
    if (begun.length > 0) return [...whole, ...begun];
    return whole.map((each, index) =>
      cut && this.#endsInCall && index === whole.length - 1 ? { ...each, cut: true } : each,
    );
  }

  #placed(event: CallEvent, place: number): CallEvent {
    const behind = this.#closed.filter((closed) => closed < place).length;
    return behind === this.#closed.length ? event : { ...event, behind };
  }

  *#close(block: Block): Generator<ModelEvent> {
    const { kind, text, metadata, place } = block;
    if (text === '' && !metadata) return;
    this.#closed.push(place);
    yield { kind: `${kind}-end`, text, ...(metadata ? { providerMetadata: metadata } : {}) };
  }

  #begin(part: BlockPart): Block {
    return { kind: kindOf(part), text: '', metadata: part.providerMetadata, place: this.#begun++ };
  }

  #blockOf(part: BlockPart): Block {
    const id = blockId(part);
    const block = this.#blocks.get(id) ?? this.#begin(part);
    block.metadata = merged(block.metadata, part.providerMetadata);
    this.#blocks.set(id, block);
    return block;
  }
}

type BlockPart = Extract<
  LanguageModelV4StreamPart,
  { type: `text-${'start' | 'delta' | 'end'}` | `reasoning-${'start' | 'delta' | 'end'}` }
>;

function kindOf(part: BlockPart): Block['kind'] {
  return part.type.startsWith('text') ? 'text' : 'reasoning';
}

/** Text and reasoning may use the same ids. */
function blockId(part: BlockPart): string {
  return `${kindOf(part)} ${part.id}`;
}

function call(providerId: string, name: string, rawInput: string, metadata?: ProviderMetadata): CallEvent {
  return { kind: 'call', providerId, name, rawInput, ...(metadata ? { providerMetadata: metadata } : {}) };
}

/** Signatures come in the start, a delta or the end of a block; later facts win. */
function merged(
  one: ProviderMetadata | undefined,
  two: ProviderMetadata | undefined,
): ProviderMetadata | undefined {
  if (!one || !two) return two ?? one;
  const all = { ...one };
  for (const [provider, facts] of Object.entries(two)) all[provider] = { ...all[provider], ...facts };
  return all;
}
