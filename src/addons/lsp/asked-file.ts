import type { FileText } from '#host/language/answer';
import type { RelativePath } from '#protocol/ids';
import type { Touch } from '#protocol/tool-call';
import { decodeText } from '#tools/decode-text';
import { existingFile, locate, touchesAt } from '#tools/files/place';
import { isNotebookName } from '#tools/formats/notebook';
import { type ResolvedPath, showPath } from '#tools/paths';
import { orFail, rejected } from '#tools/refusal';
import { unreadable } from '#tools/search/skips';
import type { ToolPorts } from '#tools/tool';

/** A file that a server is asked about, with the text that read_file shows of it. */
export interface AskedFile {
  readonly place: ResolvedPath;
  readonly file: FileText;
}

/** Servers give up on larger ones, too. */
const LARGEST = 5 * 1024 * 1024;

/** Finds a file and reads it as the editor has it: unsaved text counts. */
export async function askedFile(tool: string, path: string, ports: ToolPorts): Promise<AskedFile> {
  const place = await locate(tool, path, ports);
  const { absolute } = place;
  if (isNotebookName(place.relative))
    throw rejected(
      tool,
      `${showPath(place.relative)} is a notebook; language servers are not asked about those`,
    );
  const dirty = ports.documents.dirtyText(absolute);
  if (dirty !== undefined) return { place, file: { path: absolute, text: dirty } };
  const existing = await existingFile(tool, path, place, ports);
  const read = orFail(tool, await ports.files.read(absolute, { maxBytes: LARGEST }));
  if (read.more) throw rejected(tool, `${showPath(place.relative)} is over 5 MB; search it instead`);
  const decoded = await decodeText(read.bytes, absolute, ports.encodings);
  if (!decoded.ok) throw rejected(tool, `${showPath(place.relative)} is ${decoded.error.what}`);
  return { place: existing, file: { path: absolute, text: decoded.value.text } };
}

/**
 * For what a tool says before the gates have judged its call: of a file that they may keep nothing is told, not even whether a name
 * stands in it. Undefined there.
 */
export async function askedBeforeGates<T>(
  tool: string,
  path: string,
  ports: ToolPorts,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  const { relative } = await locate(tool, path, ports);
  return isKept(relative, ports) ? undefined : ask();
}

/** The same where nothing can be done without knowing: refused. */
export async function openBeforeGates(tool: string, path: string, ports: ToolPorts): Promise<void> {
  const { relative } = await locate(tool, path, ports);
  if (isKept(relative, ports))
    throw rejected(
      tool,
      `${showPath(relative)} may not be read without asking the user; leave it, or ask them to do it`,
    );
}

/** That the file is read: all that a question about it touches. */
export async function readsFile(
  tool: string,
  { path }: { readonly path: string },
  ports: ToolPorts,
): Promise<readonly Touch[]> {
  return touchesAt(await locate(tool, path, ports), { kind: 'read' });
}

function isKept(path: RelativePath, ports: ToolPorts): boolean {
  return unreadable(ports).has(path);
}
