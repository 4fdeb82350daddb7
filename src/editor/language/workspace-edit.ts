import * as vscode from 'vscode';
import { z } from 'zod';
import { WindowSilent, withinTime } from '#editor/time-limit';
import type { FileChanges, FileOfEdit, ServerEdit } from '#host/language/edits';
import type { AbsolutePath } from '#protocol/ids';
import { toChange } from './convert';

const OPEN_LIMIT = 8000;
/** Documents that are opened beside each other. */
const AT_ONCE = 16;
/** Files that one edit may change: each is opened to learn which text it was made for. */
const MOST_FILES = 1000;

/** An edit that names more files than anybody could look at. */
class TooManyFiles extends Error {
  override readonly name = 'TooManyFiles';
}

/** Throws where an edit, or all the edits of one answer, name too many files. */
export function refuseTooMany(files: number): void {
  if (files > MOST_FILES)
    throw new TooManyFiles(`the server would change ${files} files, which is more than ${MOST_FILES}`);
}

/**
 * What a server's edit would do, as data: nothing of it is ever applied by the editor, which would bring dialogs up and join all files
 * in one undo. Files that it renames, makes or deletes have no place in the editor's interface; they are read with care.
 */
export async function toServerEdit(edit: vscode.WorkspaceEdit, signal: AbortSignal): Promise<ServerEdit> {
  const entries = edit.entries().filter(([, edits]) => edits.length > 0);
  const moved = movedBy(edit);
  refuseTooMany(entries.length + moved.length);
  const elsewhere = entries.filter(([uri]) => uri.scheme !== 'file').map(([uri]) => uri.toString(true));
  const onDisk = entries.filter(([uri]) => uri.scheme === 'file');
  const files: FileChanges[] = [];
  const created: { readonly path: AbsolutePath; readonly text: string }[] = [];
  for (let at = 0; at < onDisk.length; at += AT_ONCE) {
    const some = onDisk.slice(at, at + AT_ONCE);
    const texts = await Promise.all(some.map(([uri]) => textOf(uri, signal)));
    for (const [index, [uri, edits]] of some.entries()) {
      const path = uri.fsPath as AbsolutePath;
      const before = texts[index];
      if (before !== undefined) files.push({ path, before, changes: edits.map(toChange) });
      else created.push({ path, text: edits.map(({ newText }) => newText).join('') });
    }
  }
  return { files, created, moved, elsewhere };
}

/** Undefined where nothing can be opened: the file isn't there yet. */
async function textOf(uri: vscode.Uri, signal: AbortSignal): Promise<string | undefined> {
  try {
    const opening = vscode.workspace.openTextDocument(uri);
    return (await withinTime(opening, OPEN_LIMIT, 'open', signal)).getText();
  } catch (error) {
    if (error instanceof WindowSilent || signal.aborted) throw error;
    return undefined;
  }
}

const place = z.object({ scheme: z.literal('file'), fsPath: z.string() });
const operation = z.object({ from: place.optional(), to: place.optional() });

/** The editor keeps these to itself (observed in VS Code 1.139: `_edits`); where it looks otherwise nothing is known of them. */
function movedBy(edit: vscode.WorkspaceEdit): readonly FileOfEdit[] {
  const all: unknown = Reflect.get(edit, '_edits');
  if (!Array.isArray(all)) return [];
  return all.flatMap((each: unknown): readonly FileOfEdit[] => {
    const parsed = operation.safeParse(each);
    const from = parsed.success ? parsed.data.from : undefined;
    if (from === undefined) return [];
    const to = parsed.data?.to;
    const path = from.fsPath as AbsolutePath;
    return [to === undefined ? { path } : { path, to: to.fsPath as AbsolutePath }];
  });
}
