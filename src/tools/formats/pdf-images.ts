import { type getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { type Pixels, type SmallPng, smallPng } from '#tools/formats/pixels';

/** A picture that a page holds. The sides it has in the PDF stand beside it. */
export interface PdfImage extends SmallPng {
  readonly page: number;
  readonly ofWidth: number;
  readonly ofHeight: number;
}

/** Most pixels of one picture that is decoded: an A4 page with 600 of them an inch has 35 million. */
export const MOST_PIXELS = 40_000_000;
/** Smaller ones are lines and ornaments. */
const LEAST_PIXELS = 32 * 32;

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>;

/** The largest pictures of a page that could be decoded, and how many it holds that are worth showing. */
export async function imagesOf(
  page: Page,
  { most, maxBytes }: { readonly most: number; readonly maxBytes: number },
): Promise<{ readonly images: readonly PdfImage[]; readonly held: number }> {
  const found = (await pixelsOf(page)).filter(({ width, height }) => width * height >= LEAST_PIXELS);
  found.sort((a, b) => b.width * b.height - a.width * a.height);
  const images: PdfImage[] = [];
  for (const pixels of found.slice(0, most)) {
    const small = smallPng(pixels, maxBytes);
    const whole = { ofWidth: pixels.width, ofHeight: pixels.height };
    if (small) images.push({ page: page.pageNumber, ...whole, ...small });
  }
  return { images, held: found.length };
}

/** Each picture once, however often it is drawn. */
async function pixelsOf(page: Page): Promise<Pixels[]> {
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList();
  const found = new Map<unknown, Pixels>();
  for (const [index, operator] of fnArray.entries()) {
    const isMask = operator === OPS.paintImageMaskXObject;
    if (!isMask && operator !== OPS.paintImageXObject && operator !== OPS.paintInlineImageXObject) continue;
    const [drawn] = argsArray[index] as [unknown];
    const key = isMask ? ((drawn as { data?: unknown } | null)?.data ?? drawn) : drawn;
    if (found.has(key)) continue;
    const pixels = decoded(typeof key === 'string' ? await objectOf(page, key) : drawn, isMask);
    if (pixels) found.set(key, pixels);
  }
  return [...found.values()];
}

function objectOf(page: Page, key: string): Promise<unknown> {
  const objects = key.startsWith('g_') ? page.commonObjs : page.objs;
  return new Promise((resolve) => {
    objects.get(key, resolve);
  });
}

/** What pdf.js calls the forms of decoded pictures; a mask has none and is one bit. */
const FORMS: Readonly<Record<number, Pixels['form']>> = { 1: 'bits', 2: 'rgb', 3: 'rgba' };

function decoded(object: unknown, isMask: boolean): Pixels | undefined {
  const { width, height, kind, data } = (object ?? {}) as Partial<Record<string, unknown>>;
  const form = isMask ? 'bits' : FORMS[Number(kind)];
  const isPicture = typeof width === 'number' && typeof height === 'number' && ArrayBuffer.isView(data);
  if (form === undefined || !isPicture) return undefined;
  return { width, height, form, data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}
