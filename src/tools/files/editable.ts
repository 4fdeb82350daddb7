import type { Encodings } from '#host/encodings';
import type { AbsolutePath, Sha256 } from '#protocol/ids';
import { decodeText, type NotText } from '#tools/decode-text';
import { encodeText } from '#tools/encode-text';
import { isNotebookName, NOTEBOOK_LIMIT, type Notebook, readNotebook } from '#tools/formats/notebook';
import { showPath } from '#tools/paths';
import { orFail, rejected } from '#tools/refusal';
import { type TextFile, type TextForm, WRITE_LIMIT } from '#tools/text-file';
import type { ToolPorts } from '#tools/tool';
import type { ExistingFile } from './place';

/** A text file whose present content the model has seen, at least in part. */
export interface Editable {
  readonly place: ExistingFile;
  readonly file: TextFile;
  /** As the model sees it: the file's text, or a notebook's cells. */
  readonly shown: string;
  readonly cells: Notebook | undefined;
  readonly hash: Sha256;
  /** Every line of it was shown. */
  readonly whole: boolean;
}

const UNSAVED = 'has unsaved changes by the user; ask them to save, then read it again';

/** Refuses what a person is typing into: saving would save their changes too. */
export function refuseUnsaved(tool: string, place: ExistingFile, ports: ToolPorts): void {
  const { documents } = ports;
  if (documents.dirtyText(place.absolute) !== undefined || documents.dirtyNotebook?.(place.absolute))
    throw rejected(tool, `${showPath(place.relative)} ${UNSAVED}`);
}

/** Reads a file that is about to be changed, and holds it against what the model has seen of it. */
export async function readEditable(tool: string, place: ExistingFile, ports: ToolPorts): Promise<Editable> {
  const path = showPath(place.relative);
  refuseUnsaved(tool, place, ports);
  const maxBytes = isNotebookName(place.relative) ? NOTEBOOK_LIMIT : WRITE_LIMIT;
  const read = orFail(tool, await ports.files.read(place.absolute, { maxBytes }));
  const tooLarge = (limit: number) =>
    rejected(tool, `${path} is over ${megabytes(limit)}; change it with a command instead`);
  if (read.more) throw tooLarge(maxBytes);
  const decoded = await decodeText(read.bytes, place.absolute, ports.encodings);
  if (!decoded.ok) throw rejected(tool, `${path} is ${untouched(decoded.error)}`);
  const cells = isNotebookName(place.relative) ? readNotebook(decoded.value.text) : undefined;
  if (cells === undefined && read.bytes.length > WRITE_LIMIT) throw tooLarge(WRITE_LIMIT);
  const seen = ports.reads.seen(place.relative);
  if (seen === undefined) throw rejected(tool, `${path} has not been read yet; read it first`);
  if (seen.sha256 !== read.sha256)
    throw rejected(tool, `${path} has changed since it was read; read it again`);
  const file = decoded.value;
  return { place, file, shown: cells?.text ?? file.text, cells, hash: read.sha256, whole: seen.whole };
}

/** The bytes of a text that is to be written; refused when the file can't hold it or it is too large. */
export async function bytesOf(
  tool: string,
  text: string,
  {
    form,
    path,
    encodings,
    limit = WRITE_LIMIT,
  }: { form: TextForm; path: AbsolutePath; encodings: Encodings; limit?: number },
): Promise<Uint8Array> {
  const bytes = await encodeText(text, form, path, encodings);
  if (!bytes.ok) throw rejected(tool, bytes.error);
  if (bytes.value.length > limit)
    throw rejected(tool, `the file would be over ${megabytes(limit)}; write less, or use a command`);
  return bytes.value;
}

function untouched(reason: NotText): string {
  const advice = reason.kind === 'encoding' ? `. ${reason.advice}` : '';
  return `${reason.what}; it was left untouched${advice}`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}
