import type {
  JSONObject,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import type { CallId } from '#protocol/ids';
import type { ToolCall } from '#protocol/tool-call';
import type { ToolResult } from '#protocol/tool-result';
import { type ImagePlace, outputWithImages, type Pictured } from './prompt-images';
import { optionsOf, type PromptStyle } from './prompt-style';
import { legal } from './wire-ids';

/** A conversation, by what its calls came to. */
export interface PromptHistory {
  readonly ids: ReadonlyMap<CallId, string>;
  readonly results: ReadonlyMap<CallId, ToolResult>;
  readonly style: PromptStyle;
  /** Calls whose results, and messages that, bring their pictures along. */
  readonly withImages: Pictured;
}

/** What a call gets whose result was never recorded: providers refuse a history in which a call stays open. */
const NO_RESULT = 'No result was recorded for this call. It may have run in part: look before you try again.';

/** A call and its answer as they go over the wire, and what they were made from. */
export interface Exchange {
  readonly id: string;
  readonly result: ToolResult | undefined;
  readonly style: PromptStyle;
  readonly isKept: boolean;
  readonly call: LanguageModelV4ToolCallPart;
  readonly answer: LanguageModelV4ToolResultPart;
}

/** A conversation is sent again and again, and only grows: what its calls came to is kept as long as they are. */
const exchanges = new WeakMap<ToolCall, Exchange>();

/** The very same exchange as long as nothing of it changed. */
export function exchangeOf(call: ToolCall, { ids, results, style, withImages }: PromptHistory): Exchange {
  const id = ids.get(call.id) ?? legal(call.providerId);
  const result = results.get(call.id);
  const isKept = withImages.has(call.id);
  const known = exchanges.get(call);
  if (known?.id === id && known.result === result && known.style === style && known.isKept === isKept)
    return known;
  const wire = { toolCallId: id, toolName: legal(call.name, 'unknown') };
  const exchange: Exchange = {
    id,
    result,
    style,
    isKept,
    call: {
      type: 'tool-call',
      ...wire,
      input: wireInput(call.rawInput),
      ...optionsOf(call.providerMetadata, style),
    },
    answer: { type: 'tool-result', ...wire, output: outputOf(result, style.images ?? 'none', isKept) },
  };
  exchanges.set(call, exchange);
  return exchange;
}

function outputOf(
  result: ToolResult | undefined,
  place: ImagePlace,
  isKept: boolean,
): LanguageModelV4ToolResultPart['output'] {
  const text = (result?.content ?? NO_RESULT).toWellFormed() || '(no output)';
  if (result?.status !== 'success') return { type: 'error-text', value: text };
  return result.images ? outputWithImages(result, text, { place, isKept }) : { type: 'text', value: text };
}

/** Arguments that are no JSON object go back as `{}`: providers refuse a history that holds anything else. */
export function wireInput(raw: string): JSONObject {
  try {
    const value: unknown = JSON.parse(raw, (_key, inner: unknown) =>
      typeof inner === 'string' ? inner.toWellFormed() : inner,
    );
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JSONObject) : {};
  } catch {
    return {};
  }
}
