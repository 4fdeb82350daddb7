import type { LanguageModelV4FilePart, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import type { CallId, MessageId } from '#protocol/ids';
import type { SentMessage } from '#protocol/message';
import { IMAGE_LIMIT, IMAGE_TYPES, type ResultImage, type ToolResult } from '#protocol/tool-result';

/** Where an API takes the pictures of results: in them, in a user message behind them, or nowhere. */
export type ImagePlace = 'in-results' | 'after-results' | 'none';

/** Pictures of one request: Anthropic demands smaller ones where there are more. */
const MOST_IMAGES = 20;
/** Base64 characters of all pictures of one request; Google takes 20 MB in all. */
const MOST_TEXT = 14 * 1024 * 1024;

const LONGEST = Math.ceil(IMAGE_LIMIT / 3) * 4;

const UNSEEN = "(The image itself is not shown: this model can't take it.)";
const LEFT_OUT =
  '(The image was shown before and is left out now, since newer ones fill the request; read it again to see it.)';

/** Results, by their calls, and messages of the person's. */
export type Pictured = ReadonlySet<CallId | MessageId>;

/** Those whose pictures go along: the newest, as many as one request bears. Of two results for a call the first counts. */
export function withImages(messages: readonly SentMessage[], place: ImagePlace): Pictured {
  const kept = new Set<CallId | MessageId>();
  if (place === 'none') return kept;
  const pictured = new Map<CallId | MessageId, WithImages>();
  for (const message of messages) {
    if (message.kind === 'user' && message.images) pictured.set(message.id, message);
    if (message.kind === 'result' && !pictured.has(message.callId))
      pictured.set(message.callId, message.result);
  }
  let images = 0;
  let text = 0;
  for (const [id, each] of [...pictured].reverse()) {
    const own = imagesOf(each);
    if (own.length === 0) continue;
    images += own.length;
    text += own.reduce((sum, { data }) => sum + data.length, 0);
    if (images > MOST_IMAGES || text > MOST_TEXT) break;
    kept.add(id);
  }
  return kept;
}

/** A result or a message of the person's. */
interface WithImages {
  readonly images?: readonly ResultImage[];
}

/** The pictures of a result that a provider would take: what is recorded may be odd, and must not make every later request fail. */
export function imagesOf({ images }: WithImages): readonly ResultImage[] {
  if (!Array.isArray(images)) return [];
  return images.filter(
    (image: Partial<ResultImage> | null) =>
      IMAGE_TYPES.some((type) => type === image?.mediaType) &&
      typeof image?.data === 'string' &&
      image.data.length > 0 &&
      image.data.length <= LONGEST &&
      image.data.length % 4 === 0,
  );
}

/** A content with its pictures, or with a word that they aren't there. */
export function outputWithImages(
  result: ToolResult,
  text: string,
  { place, isKept }: { readonly place: ImagePlace; readonly isKept: boolean },
): LanguageModelV4ToolResultOutput {
  const images = isKept ? imagesOf(result) : [];
  if (images.length > 0 && place === 'in-results')
    return { type: 'content', value: [{ type: 'text', text }, ...images.map(filePart)] };
  return { type: 'text', value: isKept ? text : withoutImages(result, text, place) };
}

/** A content that says that its pictures don't come along. */
export function withoutImages(result: WithImages, text: string, place: ImagePlace): string {
  if (imagesOf(result).length === 0) return text;
  return `${text}\n${place === 'none' ? UNSEEN : LEFT_OUT}`;
}

/** A picture as a part of a message. */
export function filePart({ mediaType, data }: ResultImage): LanguageModelV4FilePart {
  return { type: 'file', mediaType, data: { type: 'data', data } };
}

/** What a person wrote, and behind it what they attached. */
export function userText({ text, attached }: Extract<SentMessage, { kind: 'user' }>): string {
  return [text, attached].filter((part) => part !== '').join('\n\n');
}
