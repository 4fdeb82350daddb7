import * as vscode from 'vscode';
import { delay } from '#base/queue';
import { messageOf } from '#base/result';
import type { EditorDocuments } from '#editor/documents';
import { WindowSilent, withinTime } from '#editor/time-limit';
import { askTypeScript } from '#editor/typescript-server';
import type { Log } from '#host';
import type { Answer, FileText } from '#host/language/answer';
import type { AbsolutePath } from '#protocol/ids';
import { readsProjectFirst, type Served } from './served';

/** What questions to language servers share. */
export interface Asking {
  readonly log: Log;
  readonly served: Served;
  /** Knows under which name a file is open; without it the path is the name. */
  readonly documents?: Pick<EditorDocuments, 'find'>;
}

/** One question about a document. */
export interface Question<T> {
  /** For the log: "definition". */
  readonly what: string;
  readonly limitMs?: number;
  /** Its answer is only right once the server has read the whole project. */
  readonly needsProject?: boolean;
  put(document: vscode.TextDocument): Thenable<T | undefined>;
  /** What it means when the editor answers with nothing at all. */
  readonly nothing: T;
  isEmpty(value: T): boolean;
}

/** Milliseconds that one question may take. */
const ANSWER_LIMIT = 10_000;
/** A document without a tab takes some time to read what was written to its file: 0.15 to 0.65 s were observed. */
const TEXT_LIMIT = 3000;
/** How long a server that has just started is asked again while it knows nothing. */
const PATIENCE = 6000;
const PAUSE = 400;

/** Asks about the document of a file, once it holds the text that is meant, and says what came of it. */
export async function ask<T>(
  file: FileText,
  question: Question<T>,
  signal: AbortSignal,
  asking: Asking,
): Promise<Answer<T>> {
  const { log, served } = asking;
  const { what, limitMs = ANSWER_LIMIT } = question;
  try {
    const document = await opened(file.path, asking, signal);
    if (!(await awaitText(document, file.text, signal))) return { kind: 'late' };
    await withinTime(served.start(document), limitMs, 'start of a language', signal);
    const by = served.by(document);
    if (by.kind === 'failed') return { kind: 'refused', why: by.why };
    if (question.needsProject && readsProjectFirst(document)) {
      // Asked for the errors of a file, the server answers when it has read the project.
      const ready = await answered(() => askTypeScript(document.uri), limitMs, signal);
      if (!ready) return { kind: 'starting', language: document.languageId };
    }
    return await patiently(document, question, signal, asking);
  } catch (error) {
    signal.throwIfAborted();
    log.debug(`${what}: ${file.path}: ${messageOf(error)}`);
    if (error instanceof WindowSilent) return { kind: 'late' };
    return { kind: 'refused', why: messageOf(error) };
  }
}

/** The document of a file. A document that is open already may have another spelling of its path. */
export async function opened(
  path: AbsolutePath,
  { documents }: Asking,
  signal?: AbortSignal,
): Promise<vscode.TextDocument> {
  const uri = documents?.find(path)?.uri ?? vscode.Uri.file(path);
  return withinTime(vscode.workspace.openTextDocument(uri), ANSWER_LIMIT, 'open', signal);
}

/** Asks again while the server may be starting: it then answers with nothing, or refuses. */
async function patiently<T>(
  document: vscode.TextDocument,
  { what, put, nothing, isEmpty, limitMs = ANSWER_LIMIT }: Question<T>,
  signal: AbortSignal,
  { served }: Asking,
): Promise<Answer<T>> {
  const { languageId: language } = document;
  const end = performance.now() + PATIENCE;
  for (;;) {
    const last = await once();
    if ('value' in last && !isEmpty(last.value)) {
      served.proved(document);
      return { kind: 'known', value: last.value };
    }
    if (served.by(document).kind === 'nobody') return { kind: 'unserved', language };
    if (served.isYoung(document) && performance.now() < end) {
      await delay(PAUSE, signal);
      continue;
    }
    if ('error' in last) return { kind: 'refused', why: messageOf(last.error) };
    if (served.isYoung(document)) return { kind: 'starting', language };
    return { kind: 'known', value: last.value };
  }

  async function once(): Promise<{ readonly value: T } | { readonly error: unknown }> {
    try {
      return { value: (await withinTime(put(document), limitMs, what, signal)) ?? nothing };
    } catch (error) {
      if (error instanceof WindowSilent || signal.aborted) throw error;
      return { error };
    }
  }
}

async function answered(call: () => Promise<unknown>, limitMs: number, signal: AbortSignal) {
  try {
    await withinTime(call(), limitMs, 'project', signal);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    // The command isn't documented: without it nobody knows, and the question itself decides.
    return !(error instanceof WindowSilent);
  }
}

/** Waits until a document holds a text, line ends aside: it has one kind of them, whatever its file has. False: it didn't. */
export async function awaitText(
  document: vscode.TextDocument,
  text: string,
  signal: AbortSignal,
): Promise<boolean> {
  const wanted = plain(text);
  const end = performance.now() + TEXT_LIMIT;
  while (plain(document.getText()) !== wanted) {
    if (performance.now() >= end) return false;
    await delay(30, signal);
  }
  return true;
}

function plain(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}
