import type { FinishReason, ModelEvent, ModelProblem } from '#models/model';
import type { CallId } from '#protocol/ids';
import type { AssistantPart, Usage } from '#protocol/message';
import type { ProviderMetadata, ToolCall } from '#protocol/tool-call';

/** Gathers a streamed reply. What was begun when the stream broke off is kept as text; reasoning without its end is not. */
export class Reply {
  readonly #newCallId: () => CallId;
  readonly #parts: AssistantPart[] = [];
  #openText = '';
  #openReasoning = '';
  finish: FinishReason | 'failure' = 'other';
  usage: Usage = {};
  problem: ModelProblem | undefined;

  constructor(newCallId: () => CallId) {
    this.#newCallId = newCallId;
  }

  add(event: ModelEvent): void {
    switch (event.kind) {
      case 'text':
        this.#openText += event.delta;
        break;
      case 'text-end':
        this.#openText = '';
        this.#push('text', event);
        break;
      case 'reasoning':
        this.#openReasoning += event.delta;
        break;
      case 'reasoning-end':
        this.#openReasoning = '';
        this.#push('reasoning', event);
        break;
      case 'call':
        this.#insert({ kind: 'call', call: this.#call(event) }, event.behind);
        break;
      case 'finish':
        this.finish = event.reason;
        this.usage = event.usage;
        break;
      case 'failure':
        this.finish = 'failure';
        this.problem = event.problem;
        break;
    }
  }

  get parts(): readonly AssistantPart[] {
    return this.#openText.trim() === ''
      ? this.#parts
      : [...this.#parts, { kind: 'text', text: this.#openText }];
  }

  get calls(): readonly ToolCall[] {
    return this.#parts.flatMap((part) => (part.kind === 'call' ? [part.call] : []));
  }

  get text(): string {
    return this.#joined('text');
  }

  get reasoning(): string {
    return this.#joined('reasoning') + this.#openReasoning;
  }

  /** Nothing for the person and nothing to do. */
  get isEmpty(): boolean {
    return this.text.trim() === '' && this.calls.length === 0;
  }

  /** Behind so many blocks, and behind the calls that are there already. */
  #insert(part: AssistantPart, behind: number | undefined): void {
    let at = this.#parts.length;
    if (behind !== undefined) {
      let blocks = 0;
      at = this.#parts.findIndex(({ kind }) => kind !== 'call' && blocks++ === behind);
    }
    this.#parts.splice(at < 0 ? this.#parts.length : at, 0, part);
  }

  #joined(kind: 'text' | 'reasoning'): string {
    return this.parts.flatMap((part) => (part.kind === kind ? [part.text] : [])).join('');
  }

  #push(
    kind: 'text' | 'reasoning',
    { text, providerMetadata }: { readonly text: string; readonly providerMetadata?: ProviderMetadata },
  ): void {
    this.#parts.push({ kind, text, ...(providerMetadata ? { providerMetadata } : {}) });
  }

  #call({ kind: _kind, behind: _behind, ...call }: Extract<ModelEvent, { kind: 'call' }>): ToolCall {
    return { id: this.#newCallId(), ...call };
  }
}
