import { z } from 'zod';
import { revealInvisible, truncate } from '#base/text';
import { IMAGE_LIMIT, type ResultImage } from '#protocol/tool-result';
import { imageHeader } from '#tools/formats/image-header';

/** What parts of a server's answer come to: text for the model, and the pictures that a model can see. */
export interface Content {
  readonly text: string;
  readonly images: readonly ResultImage[];
}

/** Parts that are read, pictures that are shown; of the rest it is only said how many there are. */
const MOST_PARTS = 1000;
const MOST_IMAGES = 8;
const MOST_WORDS = 300;

const word = z.string();
const embedded = z.object({
  uri: word.default(''),
  mimeType: word.optional().catch(undefined),
  text: word.optional(),
  blob: word.optional(),
});
const partSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: word }),
  z.object({ type: z.literal('image'), data: word, mimeType: word.default('') }),
  z.object({ type: z.literal('audio'), data: word, mimeType: word.default('') }),
  z.object({
    type: z.literal('resource_link'),
    uri: word,
    name: word.default(''),
    description: word.optional().catch(undefined),
  }),
  z.object({ type: z.literal('resource'), resource: embedded }),
]);
type Part = z.output<typeof partSchema>;

/** Reads the parts of an answer, each on its own: what can't be used becomes a note that says what it was. */
export function readContent(parts: unknown): Content {
  if (!Array.isArray(parts)) return { text: '', images: [] };
  const images: ResultImage[] = [];
  const texts: string[] = [];
  for (const given of parts.slice(0, MOST_PARTS)) {
    const part = partSchema.safeParse(given);
    texts.push(part.success ? textOf(part.data, images) : note('a part that can’t be read'));
  }
  if (parts.length > MOST_PARTS) texts.push(note(`${parts.length - MOST_PARTS} more parts`));
  return { text: texts.filter((text) => text !== '').join('\n'), images };
}

/** The contents of a resource as `resources/read` gives them. */
export function readContents(contents: unknown): Content {
  if (!Array.isArray(contents)) return { text: '', images: [] };
  return readContent(contents.map((resource: unknown) => ({ type: 'resource', resource })));
}

function textOf(part: Part, images: ResultImage[]): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
      return pictureOf(part.data, part.mimeType, images);
    case 'audio':
      return note(`a sound: ${plain(part.mimeType)}, ${kilobytes(part.data)} KB`);
    case 'resource_link':
      return linkOf(part);
    case 'resource':
      return embeddedText(part.resource, images);
  }
}

function embeddedText(
  { uri, mimeType, text, blob }: z.output<typeof embedded>,
  images: ResultImage[],
): string {
  const name = plain(uri);
  if (text !== undefined) return `${note(`the resource ${name}`)}\n${text}`;
  if (blob === undefined) return note(`the empty resource ${name}`);
  if (mimeType?.startsWith('image/'))
    return `${note(`the resource ${name}`)}\n${pictureOf(blob, mimeType, images)}`;
  return note(`the resource ${name}: ${plain(mimeType ?? '')}, ${kilobytes(blob)} KB`);
}

function linkOf({ uri, name, description }: Extract<Part, { type: 'resource_link' }>): string {
  const words = [name, description ?? ''].map(plain).filter((text) => text !== '');
  return note(`a link to the resource ${plain(uri)}: ${words.join(', ')}`);
}

/** The note stands where the picture stood, so that texts around it still make sense. */
function pictureOf(data: string, mimeType: string, images: ResultImage[]): string {
  const size = kilobytes(data);
  if (data.length > Math.ceil(IMAGE_LIMIT / 3) * 4)
    return note(`a picture of ${size} KB, which is too large for models`);
  if (images.length >= MOST_IMAGES) return note(`one more picture: ${plain(mimeType)}, ${size} KB`);
  const bytes = Buffer.from(data, 'base64');
  // What it says it is doesn't count: a provider refuses the whole request over a picture that isn't one.
  const header = imageHeader(bytes);
  if (!header?.whole) return note(`a picture that models can’t see: ${plain(mimeType)}, ${size} KB`);
  images.push({ mediaType: header.mediaType, data: bytes.toString('base64') });
  return note(`picture ${images.length}: ${header.width}×${header.height}`);
}

function kilobytes(base64: string): number {
  return Math.ceil((base64.length * 3) / 4 / 1024);
}

function note(words: string): string {
  return `[${words}]`;
}

/** A server's word on one line. */
function plain(text: string): string {
  return truncate(revealInvisible(text).replace(/\s+/g, ' '), MOST_WORDS);
}
