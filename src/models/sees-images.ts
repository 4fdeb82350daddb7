import type { ListedModel } from './list-models';
import type { ProviderConfig } from './provider';

/** Families whose models see pictures, and those of their models that don't. */
const FAMILIES: Readonly<Record<'anthropic' | 'openai' | 'google', { sees: RegExp; blind: RegExp }>> = {
  anthropic: { sees: /^claude-/, blind: /^claude-(instant|[12]\b)/ },
  openai: {
    sees: /^(ft:)?(gpt-(4o|4\.\d|4-turbo|[5-9])|chatgpt-4o|o[1-9]|codex-mini)/,
    blind: /^(ft:)?(o1-mini|o1-preview|o3-mini|gpt-4-turbo-preview)/,
  },
  google: { sees: /^gemini-/, blind: /^gemini-(1\.0|pro$)|embedding/ },
};

/**
 * Whether a model sees pictures: what the person says of the endpoint, else what its own list says, else the model's family. Nothing
 * is known of a model behind a compatible endpoint, but for OpenRouter, whose ids begin with the maker.
 */
export function seesImages(
  config: Pick<ProviderConfig, 'kind' | 'id' | 'images'>,
  model: Pick<ListedModel, 'id' | 'images'>,
): boolean {
  const said = config.images ?? model.images;
  if (said !== undefined) return said;
  if (config.kind !== 'compatible') return isOfFamily(config.kind, model.id);
  const [maker = '', name = ''] = model.id.split('/', 2);
  const isKnown =
    config.id === 'openrouter' && (maker === 'anthropic' || maker === 'openai' || maker === 'google');
  return isKnown && isOfFamily(maker, name);
}

function isOfFamily(family: keyof typeof FAMILIES, id: string): boolean {
  const { sees, blind } = FAMILIES[family];
  return sees.test(id) && !blind.test(id);
}
