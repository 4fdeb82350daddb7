import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { ProviderMetadata } from '#protocol/tool-call';
import type { ModelEvent } from './model';

type CallEvent = Extract<ModelEvent, { kind: 'call' }>;

interface Block {
  readonly kind: 'text' | 'reasoning';
  text: string;
  metadata: ProviderMetadata | undefined;
}

interface PendingCall {
  readonly name: string;
  input: string;
}

/**
 * Gathers a reply's stream parts into whole blocks and calls. Calls are held back until the reply's end says whether the output
 * limit fell into the last of them.
 */
export class ReplyParts {
  readonly #blocks = new Map<string, Block>();
  readonly #pending = new Map<string, PendingCall>();
  readonly #calls: CallEvent[] = [];
  /** The last thing that came was (part of) a call, so a cut is inside it. */
  #endsInCall = false;

  *add(part: LanguageModelV4StreamPart): Generator<ModelEvent> {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        this.#blocks.set(blockId(part), { kind: kindOf(part), text: '', metadata: part.providerMetadata });
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
        yield* closed(block);
        break;
      }
      case 'tool-input-start':
        this.#pending.set(part.id, { name: part.toolName, input: '' });
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
        this.#pending.delete(part.toolCallId);
        this.#endsInCall = true;
        this.#calls.push(call(part.toolCallId, part.toolName, part.input, part.providerMetadata));
        break;
      default:
        break;
    }
  }

  /** Blocks that the provider left open. */
  *closeBlocks(): Generator<ModelEvent> {
    for (const block of this.#blocks.values()) yield* closed(block);
    this.#blocks.clear();
  }

  /** All calls of the reply in order. Those begun and never closed count as cut, and so does the last when the limit fell into it. */
  calls({ cut }: { readonly cut: boolean }): readonly CallEvent[] {
    const begun = [...this.#pending].map(([id, { name, input }]) => ({
      ...call(id, name, input),
      cut: true,
    }));
    if (begun.length > 0) return [...this.#calls, ...begun];
    return this.#calls.map((each, index) =>
      cut && this.#endsInCall && index === this.#calls.length - 1 ? { ...each, cut: true } : each,
    );
  }

  #blockOf(part: BlockPart): Block {
    const id = blockId(part);
    const block = this.#blocks.get(id) ?? { kind: kindOf(part), text: '', metadata: undefined };
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

function* closed({ kind, text, metadata }: Block): Generator<ModelEvent> {
  if (text === '' && !metadata) return;
  yield { kind: `${kind}-end`, text, ...(metadata ? { providerMetadata: metadata } : {}) };
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
