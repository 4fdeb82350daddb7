import { sha256 } from '#base/hash';
import { meanwhile } from '#base/queue';
import type { Result } from '#base/result';
import type { FileProblem } from '#host';
import type { AbsolutePath, RelativePath, Sha256 } from '#protocol/ids';
import { decodeText } from '#tools/decode-text';
import { diffLines } from '#tools/diff';
import { NOTEBOOK_LIMIT } from '#tools/formats/notebook';
import { orFail } from '#tools/refusal';
import { splitLines, WRITE_LIMIT } from '#tools/text-file';
import type { ToolContext, Written } from '#tools/tool';

/** What a tool put into a file. */
export interface Put {
  readonly place: { readonly relative: RelativePath; readonly absolute: AbsolutePath };
  readonly bytes: Uint8Array;
  /** The same as text, without the byte order mark, as the model sees it. */
  readonly text: string;
  /** What the model sees of the file's text, where that is something else. */
  shownAs?(text: string): string;
  /** The model knows every line of it. */
  readonly whole: boolean;
}

/** Most characters of changes by others that are told; beyond it the model has to read the file again. */
const TOLD = 4000;

/**
 * Ends a write that is under way: records what the model now knows of the file and returns what it has to be told. When saving
 * changed the file further (format on save), it is told how, so that it needn't read the file again.
 */
export async function settle(
  tool: string,
  put: Put,
  writing: Promise<Result<Written, FileProblem>>,
  context: ToolContext,
): Promise<readonly string[]> {
  const [outcome, asked] = await Promise.all([writing, meanwhile(() => sumOf(put))]);
  const { after, notes } = orFail(tool, outcome);
  const { relative } = put.place;
  if (after === undefined) return notes;
  if (after.sha256 === asked.sha256) {
    record(relative, after.sha256, { ...asked, whole: put.whole }, context);
    return notes;
  }
  const now = await readNow(put, context);
  return [...notes, learn('saving changed the file further', put, now, context)];
}

/** What somebody else has made of the file since, such as a program that watches files and formats them. */
export async function changedSince(put: Put, context: ToolContext): Promise<readonly string[]> {
  const seen = context.reads.seen(put.place.relative);
  const now = await readNow(put, context);
  if (seen === undefined || now?.hash === seen.sha256) return [];
  return [learn('something else changed the file since', put, now, context)];
}

type Now = { readonly text: string; readonly hash: Sha256 } | undefined;

/** Tells how the file differs from what was written, and counts that as known; where it is too much, it has to be read. */
function learn(what: string, put: Put, now: Now, context: ToolContext): string {
  const { relative } = put.place;
  const further = now && furtherChanges(what, put.text, now.text);
  if (now === undefined || further === undefined) {
    context.reads.forget(relative);
    return `${what}; read it again before you edit it`;
  }
  know(relative, now.hash, { text: now.text, whole: put.whole }, context);
  return further;
}

/** Records what the model knows of a file: all of it, or that it has seen some of this very content. */
export function know(
  path: RelativePath,
  hash: Sha256,
  known: Pick<Put, 'text' | 'whole'>,
  context: ToolContext,
): void {
  record(path, hash, { total: splitLines(known.text).length, whole: known.whole }, context);
}

function sumOf({ bytes, text }: Put): { readonly sha256: string; readonly total: number } {
  return { sha256: sha256(bytes), total: splitLines(text).length };
}

function record(
  path: RelativePath,
  hash: Sha256,
  { total, whole }: { readonly total: number; readonly whole: boolean },
  context: ToolContext,
): void {
  if (whole) context.reads.wrote(path, hash, total);
  else context.reads.note(path, hash, { from: 1, to: 0, total });
}

async function readNow({ place: { absolute: path }, shownAs }: Put, context: ToolContext): Promise<Now> {
  const read = await context.files.read(path, { maxBytes: shownAs ? NOTEBOOK_LIMIT : WRITE_LIMIT });
  if (!read.ok || read.value.more) return undefined;
  const decoded = await decodeText(read.value.bytes, path, context.encodings);
  return decoded.ok
    ? { text: shownAs ? shownAs(decoded.value.text) : decoded.value.text, hash: read.value.sha256 }
    : undefined;
}

function furtherChanges(what: string, asked: string, now: string): string | undefined {
  const { hunks } = diffLines(asked, now);
  if (hunks.length === 0) return `${what}: white space at line ends`;
  const told = hunks.map((hunk) => `at line ${hunk.newStart}:\n${hunk.lines.join('\n')}`).join('\n');
  return told.length > TOLD ? undefined : `${what}:\n${told}`;
}
