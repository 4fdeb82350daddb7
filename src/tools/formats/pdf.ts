import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { PdfImage } from './pdf-images';
import type { PdfEvent, PdfRequest } from './pdf-worker';

/** What could be read of a PDF. */
export interface PdfText {
  /** Of the whole document; undefined when it could not be opened. */
  readonly pages: number | undefined;
  readonly texts: readonly { readonly number: number; readonly text: string }[];
  /** Of pages without text, where they were wanted: some of the pictures that each holds, and how many there are. */
  readonly pictures: readonly {
    readonly page: number;
    readonly images: readonly PdfImage[];
    readonly held: number;
  }[];
  readonly end: 'done' | 'locked' | 'broken' | 'too-long' | 'too-large';
}

/** Milliseconds and memory that one read may take. */
export interface PdfLimits {
  readonly patienceMs: number;
  /** Bytes by which this process may grow meanwhile: what a PDF unfolds to lies outside the thread's own heap. */
  readonly growth: number;
}

const LIMITS: PdfLimits = { patienceMs: 20_000, growth: 1024 * 1024 * 1024 };
const WATCH_MS = 50;

/**
 * The text of a PDF's pages, read in a thread that is stopped when it takes too long or too much; what was read until then is kept.
 * Rejects only with the signal's reason.
 */
export async function readPdf(
  request: PdfRequest,
  signal: AbortSignal,
  limits: PdfLimits = LIMITS,
): Promise<PdfText> {
  signal.throwIfAborted();
  const file = workerFile();
  // In tests Node strips the types; older ones must be told to.
  const execArgv = file.endsWith('.ts') ? ['--experimental-strip-types', '--no-warnings'] : [];
  const resourceLimits = { maxOldGenerationSizeMb: 512, stackSizeMb: 4 };
  const worker = new Worker(file, {
    workerData: request,
    env: {},
    execArgv,
    resourceLimits,
    stdout: true,
    stderr: true,
  });
  try {
    return await outcomeOf(worker, signal, limits);
  } finally {
    void worker.terminate();
  }
}

function outcomeOf(worker: Worker, signal: AbortSignal, limits: PdfLimits): Promise<PdfText> {
  const { promise, resolve, reject } = Promise.withResolvers<PdfText>();
  const texts: PdfText['texts'][number][] = [];
  const pictures: PdfText['pictures'][number][] = [];
  let pages: number | undefined;
  const end = (how: PdfText['end']) => resolve({ pages, texts, pictures, end: how });
  worker.on('message', (event: PdfEvent) => {
    if (event.kind === 'opened') pages = event.pages;
    else if (event.kind === 'page') texts.push({ number: event.number, text: event.text });
    else if (event.kind === 'images') pictures.push(event);
    else end(event.kind === 'failed' ? event.why : 'done');
  });
  worker.on('error', (error) =>
    end('code' in error && error.code === OUT_OF_MEMORY ? 'too-large' : 'broken'),
  );
  worker.on('exit', () => end('broken'));
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  const patience = setTimeout(() => end('too-long'), limits.patienceMs);
  const before = process.memoryUsage.rss();
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() - before > limits.growth) end('too-large');
  }, WATCH_MS);
  return promise.finally(() => {
    clearTimeout(patience);
    clearInterval(watch);
    signal.removeEventListener('abort', stop);
  });
}

const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

/** In the extension a chunk beside the one that holds this; in a test the source itself. */
function workerFile(): string {
  const name = import.meta.url.endsWith('.ts') ? './pdf-worker.ts' : '../chunks/pdf-worker.js';
  return fileURLToPath(new URL(name, import.meta.url));
}
