import { t } from '#base/l10n';
import { IMAGE_LIMIT, type ImageType, type ToolResult } from '#protocol/tool-result';
import { type ImageHeader, imageHeader } from '#tools/formats/image-header';
import { showPath } from '#tools/paths';
import type { ToolPorts } from '#tools/tool';
import type { ExistingFile } from './place';

/** Most pixels of one side that all providers take. */
const LONGEST_SIDE = 8000;

const NAMES: Readonly<Record<ImageType, string>> = {
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
  'image/gif': 'GIF',
  'image/webp': 'WebP',
};

/**
 * A picture as it is, for models that see, with its facts in words for all others. `start` is what has been read of it: all, unless it
 * is larger than that. Undefined when it is no picture.
 */
export async function showImage(
  place: ExistingFile,
  start: { readonly bytes: Uint8Array; readonly size: number },
  { files }: ToolPorts,
): Promise<ToolResult | undefined> {
  const first = imageHeader(start.bytes);
  if (first === undefined) return undefined;
  const read =
    start.size > start.bytes.length && start.size <= IMAGE_LIMIT
      ? await files.read(place.absolute, { maxBytes: IMAGE_LIMIT })
      : undefined;
  const bytes = read?.ok ? read.value.bytes : start.bytes;
  const size = Math.max(start.size, bytes.length);
  const header = imageHeader(bytes) ?? first;
  const why = whyNot(header, size, size > bytes.length);
  const facts = factsOf(header, size);
  const content = `${showPath(place.relative)} is a ${NAMES[header.mediaType]} image: ${facts.join(', ')}.`;
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    version: 1,
    status: 'success',
    content: why === undefined ? content : `${content} ${why}`,
    ...(why === undefined
      ? { images: [{ mediaType: header.mediaType, data: data.toString('base64') }] }
      : {}),
    display: {
      kind: 'text',
      title: place.relative,
      fields: [
        { key: t('format'), value: NAMES[header.mediaType] },
        { key: t('size'), value: facts.join(', ') },
      ],
      body: why ?? t('The image goes to the model, if it sees images.'),
    },
  };
}

function factsOf({ width, height }: ImageHeader, size: number): readonly string[] {
  const pixels = width > 0 && height > 0 ? [`${width} × ${height} pixels`] : [];
  return [...pixels, `${size.toLocaleString('en')} bytes`];
}

/** A picture that providers refuse would make every later request fail, so it isn't sent. */
function whyNot({ width, height, whole }: ImageHeader, size: number, isCut: boolean): string | undefined {
  if (size > IMAGE_LIMIT)
    return 'It is not shown: it is over 3.75 MB. To see it, make a smaller copy with a command and read that.';
  if (Math.max(width, height) > LONGEST_SIDE)
    return `It is not shown: a side is over ${LONGEST_SIDE.toLocaleString('en')} pixels. To see it, make a smaller copy with a command and read that.`;
  if (!whole || isCut) return 'It is not shown: it is damaged or its end is missing.';
  return undefined;
}
