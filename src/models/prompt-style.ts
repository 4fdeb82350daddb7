import type { JSONObject, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { ProviderMetadata } from '#protocol/tool-call';
import type { ImagePlace } from './prompt-images';

/** How one provider's history differs from another's. */
export interface PromptStyle {
  /** The provider's own key in provider metadata: what other providers signed means nothing to it and is left out. */
  readonly metadataKey: string;
  /** `provider/model`: what another model of the same provider signed is left out too. Absent: all that has the key is handed back. */
  readonly modelId?: string;
  /** Takes reasoning that carries no signature. */
  readonly plainReasoning: boolean;
  /** Where the pictures of results go; absent: nowhere. */
  readonly images?: ImagePlace;
}

/** What a provider signed, handed back to it; nothing of what others did. */
export function optionsOf(
  metadata: ProviderMetadata | undefined,
  { metadataKey }: PromptStyle,
): { providerOptions?: SharedV4ProviderOptions } {
  const own = metadata?.[metadataKey];
  return own ? { providerOptions: { [metadataKey]: own as JSONObject } } : {};
}
