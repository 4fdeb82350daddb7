import type { ContributedText } from '#agent/contribution';
import type { ArtifactId } from '#protocol/ids';
import type { ResultImage } from '#protocol/tool-result';
import { boundResult, normalizeResult } from '#tools/result';
import type { Artifacts } from '#tools/tool';

/** What goes to the model with a person's message beside their own words. */
export interface Attached {
  readonly text: string;
  readonly images: readonly ResultImage[];
  /** Long texts of which `text` has head and tail. */
  readonly artifacts: readonly ArtifactId[];
}

/** What a message has that comes alone. */
export const NOTHING_ATTACHED: Attached = { text: '', images: [], artifacts: [] };

/** Pictures of one message. */
const MOST_IMAGES = 8;

/** Where long texts go, and what takes secrets out. */
export interface AttachPlace {
  readonly artifacts: Pick<Artifacts, 'put'>;
  redact<T>(value: T): T;
}

/** What others gave, behind words that say whose it is: checked, without secrets, and bounded as a tool's result is. */
export async function attachedText(
  head: string,
  given: ContributedText,
  place: AttachPlace,
): Promise<Attached> {
  const { text, images } = given;
  const whole = normalizeResult({ version: 1, status: 'success', content: text, images });
  const {
    content,
    artifact,
    images: seen = [],
  } = await boundResult({ ...whole, content: place.redact(whole.content) }, place.artifacts);
  return { text: `${head}\n${content}`, images: seen, artifacts: artifact ? [artifact.id] : [] };
}

/** All of them, in order. Of many pictures the first go along. */
export function joined(parts: readonly Attached[]): Attached {
  const images = parts.flatMap((part) => part.images);
  const left = images.length - MOST_IMAGES;
  const note = left > 0 ? [`(${left} more attached pictures are left out)`] : [];
  return {
    text: [...parts.map(({ text }) => text).filter((text) => text !== ''), ...note].join('\n\n'),
    images: images.slice(0, MOST_IMAGES),
    artifacts: parts.flatMap((part) => part.artifacts),
  };
}
