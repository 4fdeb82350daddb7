import * as vscode from 'vscode';
import { fail, ok, type Result } from '#base/result';
import type { FileProblem, Landed, Landing } from '#host';
import { differenceOf } from './difference';
import {
  changedMeanwhile,
  dirty,
  LARGEST_DOCUMENT,
  SAVE_LIMIT,
  SAVED_FURTHER,
  unsaved,
  WINDOW_LIMIT,
  type World,
} from './landing-world';
import { type NotebookText, notebookText } from './notebook-text';
import { WindowSilent, withinTime } from './time-limit';

type Replace = Landing & { readonly kind: 'replace' };

/** Tries while the person types in one of the cells. */
const TRIES = 20;

/** A cell whose source is to read differently. */
interface ChangedCell {
  readonly document: vscode.TextDocument;
  readonly before: string;
  readonly after: string;
}

/**
 * Changes an open notebook by edits of its cells, so that their ids, outputs and the kernel's state stay, and saves it. Undefined when
 * more than sources would change, or when the editor would write the file in another manner than it has: then the disk is the place.
 */
export async function replaceInNotebook(
  notebook: vscode.NotebookDocument,
  before: Uint8Array,
  change: Replace,
  world: World,
): Promise<Result<Landed, FileProblem> | undefined> {
  const [old, wanted] = [notebookText(before), notebookText(change.bytes)];
  const cells = old && wanted && changedCells(notebook, old, wanted);
  if (!cells) return undefined;
  await change.beforeChange?.();
  if (!(await apply(notebook, cells, 'after'))) return fail(dirty(change.path));
  const saved = await save(notebook, world);
  const now = await world.disk.read(change.path, { maxBytes: LARGEST_DOCUMENT });
  if (!now.ok) return now;
  const { sha256: hash, bytes, stat } = now.value;
  if (!saved && hash === change.expected) {
    await apply(notebook, cells, 'before');
    return fail(unsaved(change.path));
  }
  const asWanted = Buffer.compare(bytes, change.bytes) === 0;
  const sources = notebookText(bytes)?.sources;
  if (!saved && !asWanted) return fail(changedMeanwhile(change.path));
  if (!asWanted && JSON.stringify(sources) === JSON.stringify(wanted.sources)) {
    // The editor changed more than was asked, such as the number of a run; that goes back, and the clean notebook shows the file again.
    const { path, bytes: exact } = change;
    return world.disk.land({ kind: 'replace', path, bytes: exact, expected: hash });
  }
  const after = { sha256: hash, bytes: stat.bytes, mode: stat.mode & 0o7777 };
  return ok({ via: 'editor', after, notes: asWanted ? [] : [SAVED_FURTHER] });
}

/** The cells to edit, when the open notebook holds exactly the old file and nothing but sources differs in the new one. */
function changedCells(
  notebook: vscode.NotebookDocument,
  old: NotebookText,
  wanted: NotebookText,
): readonly ChangedCell[] | undefined {
  const { sources, rest } = old;
  if (!old.isEditorsOwn || rest !== wanted.rest || notebook.cellCount !== sources.length) return undefined;
  const cells = notebook.getCells().map(({ document }, index) => ({
    document,
    before: sources[index] ?? '',
    after: wanted.sources[index] ?? '',
  }));
  // A cell's document has one kind of line end.
  const isExact = cells.every(
    ({ document, before, after }) => textOf(document) === before && !`${before}${after}`.includes('\r'),
  );
  const changed = cells.filter(({ before, after }) => before !== after);
  return isExact && changed.length > 0 ? changed : undefined;
}

function textOf(document: vscode.TextDocument): string {
  return document.getText().replaceAll('\r\n', '\n');
}

/** Puts one of the two texts into all cells at once. False when the person's own change came between: theirs stays. */
async function apply(
  notebook: vscode.NotebookDocument,
  cells: readonly ChangedCell[],
  which: 'before' | 'after',
): Promise<boolean> {
  const from = which === 'after' ? 'before' : 'after';
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (cells.some((cell) => textOf(cell.document) !== cell[from])) return false;
    if (which === 'after' && notebook.isDirty) return false;
    const edit = new vscode.WorkspaceEdit();
    for (const cell of cells) {
      const { document } = cell;
      const text =
        document.eol === vscode.EndOfLine.CRLF ? cell[which].replaceAll('\n', '\r\n') : cell[which];
      const { start, end, replacement } = differenceOf(document.getText(), text);
      const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
      edit.replace(document.uri, range, replacement);
    }
    if (await withinTime(vscode.workspace.applyEdit(edit), WINDOW_LIMIT, 'applyEdit')) return true;
  }
  return false;
}

async function save(notebook: vscode.NotebookDocument, { log }: World): Promise<boolean> {
  try {
    return await withinTime(notebook.save(), SAVE_LIMIT, 'save');
  } catch (error) {
    if (!(error instanceof WindowSilent)) throw error;
    log.warn(`landing: ${error.message}`);
    return false;
  }
}
