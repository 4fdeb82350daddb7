import { fail, messageOf, ok, type Result } from '#base/result';
import type { FileChanges } from '#host/language/edits';
import type { AbsolutePath, RelativePath, Sha256 } from '#protocol/ids';
import { decodeText } from '#tools/decode-text';
import { toLineFeeds } from '#tools/line-ends';
import { lexicalPath, showPath } from '#tools/paths';
import { WRITE_LIMIT } from '#tools/text-file';
import type { ToolPorts } from '#tools/tool';
import { changedText } from './change-text';
import { bytesOf } from './editable';

/** What a server's changes make of one file, ready to be written. */
export interface ReadyChange {
  readonly path: RelativePath;
  readonly absolute: AbsolutePath;
  readonly before: string;
  readonly after: string;
  readonly bytes: Uint8Array;
  /** What the file holds until then. */
  readonly expected: Sha256;
  /** What the model has seen of this very content: some of it, every line, or nothing. */
  readonly seen: 'part' | 'whole' | undefined;
  /** How many places change. */
  readonly places: number;
}

/** Why a file can't be changed as a server wants it; `why` goes on after "it was left, since". */
export interface Unready {
  readonly kind: 'outside' | 'hidden' | 'unsaved' | 'changed' | 'unfit';
  /** As the model may see it. */
  readonly shown: string;
  readonly why: string;
}

/** Reads one file and makes of it what a server wants; its own text, encoding and line ends are what counts. */
export async function readyChange(
  tool: string,
  { path: found, before, changes }: FileChanges,
  ports: ToolPorts,
): Promise<Result<ReadyChange, Unready>> {
  const { files, documents, encodings, reads, workspace } = ports;
  const real = (await files.realPath(found).catch(() => undefined)) ?? found;
  const inside = lexicalPath(real, workspace.root);
  const shown = showPath(inside.ok ? inside.value : found);
  const unready = (kind: Unready['kind'], why: string) => fail({ kind, shown, why });
  if (!inside.ok) return unready('outside', 'it is outside the workspace');
  if (workspace.hidden.by(real)) return unready('hidden', 'it is hidden from you');
  if (documents.dirtyText(real) !== undefined)
    return unready('unsaved', 'it has unsaved changes by the user');
  const read = await files.read(real, { maxBytes: WRITE_LIMIT });
  if (!read.ok) return unready('unfit', read.error.message);
  if (read.value.more) return unready('unfit', 'it is over 1 MB');
  const decoded = await decodeText(read.value.bytes, real, encodings);
  if (!decoded.ok) return unready('unfit', `it is ${decoded.error.what}`);
  const { text } = decoded.value;
  if (toLineFeeds(text) !== toLineFeeds(before)) return unready('changed', 'it has changed meanwhile');
  const after = changedText(text, changes);
  // The server may have meant an older text: asking again may help.
  if (after === undefined)
    return unready('changed', 'the places that the server would change overlap or aren’t in it');
  try {
    const bytes = await bytesOf(tool, after, { form: decoded.value, path: real, encodings });
    const seen = reads.seen(inside.value);
    return ok({
      ...{ path: inside.value, absolute: real, before: text, after, bytes, expected: read.value.sha256 },
      seen: seen?.sha256 === read.value.sha256 ? (seen.whole ? 'whole' : 'part') : undefined,
      places: changes.length,
    });
  } catch (error) {
    return unready('unfit', messageOf(error));
  }
}
