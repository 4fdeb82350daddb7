import { z } from 'zod';
import { t } from '#base/l10n';
import { fail, ok, type Result } from '#base/result';
import type { ModelProblem } from './model';
import { describe, type Endpoint, unreachable } from './problem';
import type { ProviderConfig } from './provider';
import { retryAfterMs } from './retry-after';

/** A model as its endpoint lists it. */
export interface ListedModel {
  readonly id: string;
  readonly name: string;
  readonly contextWindow?: number;
  /** It takes pictures, or takes none; absent: the list doesn't say. */
  readonly images?: boolean;
}

/** An endpoint that hasn't answered by then counts as down. */
const LIST_TIMEOUT_MS = 8000;
/** Longest list that is read; OpenRouter's is about 1 MB. */
const MAX_BYTES = 16 * 1024 * 1024;

/** How to ask. */
export interface ListOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** Where Belay runs, for the words about a local endpoint that is down. */
  readonly machine?: string;
}

/** Asks the endpoint which models it has now. */
export async function listModels(
  config: ProviderConfig,
  key: string | undefined,
  { fetch, signal, timeoutMs = LIST_TIMEOUT_MS, machine }: ListOptions,
): Promise<Result<readonly ListedModel[], ModelProblem>> {
  const endpoint: Endpoint = { providerName: config.name, baseUrl: config.baseUrl, key, machine };
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(urlOf(config), {
      headers: headersOf(config, key),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const body = await boundedText(response);
    if (!response.ok) return fail(describe(refusal(response, body), endpoint));
    return parse(config, body, endpoint);
  } catch (error) {
    signal?.throwIfAborted();
    if (!timeout.aborted) return fail(unreachable(error, endpoint));
    return fail(unreachable(new Error(t('no answer within {0} seconds', timeoutMs / 1000)), endpoint));
  }
}

function urlOf({ kind, baseUrl }: ProviderConfig): string {
  switch (kind) {
    case 'anthropic':
      return `${baseUrl}/models?limit=1000`;
    case 'google':
      return `${baseUrl}/models?pageSize=1000`;
    default:
      return `${baseUrl}/models`;
  }
}

function headersOf({ kind }: ProviderConfig, key: string | undefined): Record<string, string> {
  switch (kind) {
    case 'anthropic':
      return { 'anthropic-version': '2023-06-01', ...(key ? { 'x-api-key': key } : {}) };
    case 'google':
      return key ? { 'x-goog-api-key': key } : {};
    default:
      return key ? { authorization: `Bearer ${key}` } : {};
  }
}

/** Stops reading where no list would still go on: the endpoint may be anything. */
async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_BYTES) throw new Error(t('the list of models is longer than 16 MB'));
  }
  return text + decoder.decode();
}

function refusal(response: Response, body: string) {
  const retryAfter = retryAfterMs(Object.fromEntries(response.headers), body);
  return {
    status: response.status,
    text: reasonIn(body) ?? response.statusText,
    details: body,
    ...(retryAfter === undefined ? {} : { retryAfterMs: retryAfter }),
  };
}

function reasonIn(body: string): string | undefined {
  try {
    const parsed = refusalSchema.safeParse(JSON.parse(body));
    if (!parsed.success) return undefined;
    const { error } = parsed.data;
    return typeof error === 'string' ? error : error.message;
  } catch {
    return undefined;
  }
}

const refusalSchema = z.object({ error: z.union([z.string(), z.object({ message: z.string() })]) });

// What doesn't fit is left out, not the whole entry: servers put null and worse into fields nobody needs.
const text = z.string().optional().catch(undefined);
const size = z.number().positive().optional().catch(undefined);
const words = z.array(z.string()).optional().catch(undefined);

const entrySchema = z.object({
  id: text,
  name: text,
  /** Anthropic's and Google's name for people. */
  display_name: text,
  displayName: text,
  /** Google: what the model can be asked for. */
  supportedGenerationMethods: words,
  /** OpenRouter: what it takes and puts out. */
  architecture: z.object({ input_modalities: words, output_modalities: words }).optional().catch(undefined),
  /** Mistral. */
  capabilities: z
    .object({ vision: z.boolean().optional().catch(undefined) })
    .optional()
    .catch(undefined),
  /** Google, OpenRouter, vLLM, Anthropic: how each calls the size of the window. */
  inputTokenLimit: size,
  context_length: size,
  max_model_len: size,
  max_input_tokens: size,
});
type Entry = z.infer<typeof entrySchema>;
const listSchema = z.union([
  z.object({ data: z.array(z.unknown()).nullable() }).transform(({ data }) => data ?? []),
  z.object({ models: z.array(z.unknown()) }).transform(({ models }) => models),
  z.array(z.unknown()),
]);

function parse(
  { kind }: ProviderConfig,
  body: string,
  endpoint: Endpoint,
): Result<readonly ListedModel[], ModelProblem> {
  const list = listSchema.safeParse(json(body));
  if (!list.success) {
    return fail(
      describe(
        { text: t('its list of models could not be read; is the address right?'), answered: true },
        endpoint,
      ),
    );
  }
  const entries = list.data.flatMap((item) => entrySchema.safeParse(item).data ?? []);
  const models = entries.filter(canChat).flatMap((entry) => listed(entry, kind));
  return ok([...new Map(models.map((model) => [model.id, model])).values()].sort(byName));
}

function json(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

// OpenAI and the like list everything they have without saying what it is for.
const NO_CHAT =
  /embed|whisper|\btts\b|dall-e|moderation|realtime|transcri|\bsora\b|gpt-image|-audio|davinci|babbage|rerank|imagen|\bveo\b|\baqa\b|-instruct-0914|-tts|computer-use|\blyria\b|-image\b/i;

function canChat(entry: Entry): boolean {
  if (entry.supportedGenerationMethods && !entry.supportedGenerationMethods.includes('generateContent'))
    return false;
  const outputs = entry.architecture?.output_modalities;
  if (outputs) return outputs.includes('text');
  return !NO_CHAT.test(entry.id ?? entry.name ?? '');
}

function listed(entry: Entry, kind: ProviderConfig['kind']): ListedModel[] {
  const id = kind === 'google' ? entry.name?.replace(/^models\//, '') : (entry.id ?? entry.name);
  if (!id) return [];
  const name = entry.display_name ?? entry.displayName ?? (kind === 'google' ? id : (entry.name ?? id));
  const contextWindow =
    entry.inputTokenLimit ?? entry.context_length ?? entry.max_model_len ?? entry.max_input_tokens;
  const images = entry.architecture?.input_modalities?.includes('image') ?? entry.capabilities?.vision;
  return [
    {
      id,
      name,
      ...(contextWindow ? { contextWindow } : {}),
      ...(images === undefined ? {} : { images }),
    },
  ];
}

function byName(one: ListedModel, two: ListedModel): number {
  return one.name.localeCompare(two.name, 'en', { numeric: true });
}
