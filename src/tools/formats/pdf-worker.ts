// Runs in a thread of its own: what a hostile PDF unfolds to in one call can only be stopped from outside, and the editor's extension
// host must not wait for it. It is bundled alone, and Node runs it as it stands here in the tests: so it imports by names that Node
// understands as well.
import { parentPort, workerData } from 'node:worker_threads';
import { getDocumentProxy } from 'unpdf';
import { imagesOf, MOST_PIXELS, type PdfImage } from '#tools/formats/pdf-images';

/** What to read of which PDF. Pages from 1, both included. */
export interface PdfRequest {
  readonly bytes: Uint8Array;
  readonly first: number;
  readonly last: number;
  /** UTF-16 units after which no further page is begun. */
  readonly enough: number;
  /** Pictures of pages without text that are wanted, and the bytes of all of them together; absent: none. */
  readonly images?: { readonly most: number; readonly bytes: number; readonly bytesEach: number };
}

/** What comes back, in order; `failed` or `done` is the last. */
export type PdfEvent =
  | { readonly kind: 'opened'; readonly pages: number }
  | { readonly kind: 'page'; readonly number: number; readonly text: string }
  /** What a page without text holds: some of its pictures, and how many there are. */
  | {
      readonly kind: 'images';
      readonly page: number;
      readonly images: readonly PdfImage[];
      readonly held: number;
    }
  | { readonly kind: 'failed'; readonly why: 'locked' | 'broken' }
  | { readonly kind: 'done' };

// A PDF names addresses; nothing here shall ever ask one.
Reflect.deleteProperty(globalThis, 'fetch');
Reflect.deleteProperty(globalThis, 'WebSocket');

/** Longest text of one page that is worth keeping. */
const LONGEST_PAGE = 1_000_000;

const tell = (event: PdfEvent) => parentPort?.postMessage(event);

readPages(workerData as PdfRequest).then(
  () => tell({ kind: 'done' }),
  (error: unknown) => {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    tell({ kind: 'failed', why: isLocked ? 'locked' : 'broken' });
  },
);

async function readPages(request: PdfRequest): Promise<void> {
  const blank = await readTexts(request);
  if (request.images && blank.length > 0) await readImages(request, request.images, blank);
}

/** Tells the texts; the numbers of the pages that hold none. */
async function readTexts({ bytes, first, last, enough, images }: PdfRequest): Promise<readonly number[]> {
  const blank: number[] = [];
  // The bytes are taken by who reads them: a copy is left where they are read again.
  const document = await open(images ? bytes.slice() : bytes, 1);
  tell({ kind: 'opened', pages: document.numPages });
  let length = 0;
  for (let number = first; number <= Math.min(last, document.numPages) && length < enough; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
    page.cleanup();
    length += text.length;
    tell({ kind: 'page', number, text: text.slice(0, LONGEST_PAGE).toWellFormed() });
    if (text.trim() === '') blank.push(number);
  }
  await document.loadingTask.destroy();
  return blank;
}

async function readImages(
  { bytes }: PdfRequest,
  wanted: NonNullable<PdfRequest['images']>,
  pages: readonly number[],
): Promise<void> {
  const document = await open(bytes, MOST_PIXELS);
  let { most, bytes: room } = wanted;
  for (const number of pages) {
    if (most <= 0 || room < wanted.bytesEach) return;
    const page = await document.getPage(number);
    const { images, held } = await imagesOf(page, { most, maxBytes: wanted.bytesEach });
    page.cleanup();
    const kept: PdfImage[] = [];
    for (const image of images) {
      if (image.png.length > room) break;
      room -= image.png.length;
      kept.push(image);
    }
    most -= kept.length;
    if (held > 0) tell({ kind: 'images', page: number, images: kept, held });
  }
}

/** No fonts of the system, no forms, no code compiled; pictures of more pixels aren't decoded. */
function open(bytes: Uint8Array, maxImageSize: number) {
  return getDocumentProxy(bytes, {
    useSystemFonts: false,
    disableFontFace: true,
    enableXfa: false,
    useWasm: false,
    useWorkerFetch: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    maxImageSize,
    verbosity: 0,
  });
}
