// Runs in a thread of its own: what a hostile PDF unfolds to in one call can only be stopped from outside, and the editor's extension
// host must not wait for it. It is bundled alone, and Node runs it as it stands here in the tests: so it imports by names that Node
// understands as well.
import { parentPort, workerData } from 'node:worker_threads';
import { getDocumentProxy } from 'unpdf';

/** What to read of which PDF. Pages from 1, both included. */
export interface PdfRequest {
  readonly bytes: Uint8Array;
  readonly first: number;
  readonly last: number;
  /** UTF-16 units after which no further page is begun. */
  readonly enough: number;
}

/** What comes back, in order; `failed` or `done` is the last. */
export type PdfEvent =
  | { readonly kind: 'opened'; readonly pages: number }
  | { readonly kind: 'page'; readonly number: number; readonly text: string }
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

async function readPages({ bytes, first, last, enough }: PdfRequest): Promise<void> {
  const document = await getDocumentProxy(bytes, {
    // Text alone: no fonts of the system, no forms, no picture is decoded, no code compiled.
    useSystemFonts: false,
    disableFontFace: true,
    enableXfa: false,
    useWasm: false,
    useWorkerFetch: false,
    maxImageSize: 1,
    verbosity: 0,
  });
  tell({ kind: 'opened', pages: document.numPages });
  let length = 0;
  for (let number = first; number <= Math.min(last, document.numPages) && length < enough; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
    page.cleanup();
    length += text.length;
    tell({ kind: 'page', number, text: text.slice(0, LONGEST_PAGE).toWellFormed() });
  }
}
