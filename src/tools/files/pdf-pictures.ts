import { count } from '#base/text';
import { IMAGE_LIMIT, type ToolResult } from '#protocol/tool-result';
import type { PdfText } from '#tools/formats/pdf';

/** Pictures of one answer. Their base64 leaves room for others in a request. */
export const IMAGES_WANTED = { most: 8, bytes: 8 * 1024 * 1024, bytesEach: IMAGE_LIMIT };

/** The pictures of pages without text, for models that see. */
export function picturesOf({ pictures }: PdfText): Pick<ToolResult, 'images'> {
  const images = pictures.flatMap((page) => page.images);
  if (images.length === 0) return {};
  const data = ({ png }: (typeof images)[number]) => Buffer.from(png).toString('base64');
  return { images: images.map((image) => ({ mediaType: 'image/png', data: data(image) })) };
}

/** Which pictures go with the text; `asked`: pages were named, so that pictures were looked for. */
export function pictureNotes(pdf: PdfText, asked: boolean): string[] {
  if (!asked) return ['name such pages to see the images that they may hold'];
  const notes = pdf.pictures.filter(({ images }) => images.length > 0).map(pageWords);
  if (notes.length > 0) notes.unshift('with the images that these pages hold, which is no rendering of them');
  const left = pdf.pictures.reduce((sum, { images, held }) => sum + held - images.length, 0);
  if (left > 0) notes.push(`${count(left, 'more image')} left out`);
  const seen = pdf.texts.every(({ number, text }) => text.trim() !== '' || hasPictures(pdf, number));
  if (pdf.end !== 'done') notes.push('the rest of their images took too much time or memory');
  else if (!seen) notes.push(`${notes.length > 0 ? 'others hold' : 'there is'} no image that can be shown`);
  return notes;
}

function hasPictures({ pictures }: PdfText, page: number): boolean {
  return pictures.some((each) => each.page === page && each.held > 0);
}

function pageWords({ page, images }: PdfText['pictures'][number]): string {
  const sizes = images.map(({ width, height, ofWidth, ofHeight }) => {
    const from = width === ofWidth && height === ofHeight ? '' : ` from ${ofWidth} × ${ofHeight}`;
    return `${width} × ${height} pixels${from}`;
  });
  return `page ${page}: ${sizes.join(', ')}`;
}
