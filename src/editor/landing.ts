import * as vscode from 'vscode';
import { sha256 } from '#base/hash';
import { fail, messageOf, ok, type Result } from '#base/result';
import type { FileProblem, Files, Landed, Landing, Log } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import { differenceOf } from './difference';
import type { EditorDocuments } from './documents';
import { replaceInNotebook } from './landing-notebook';
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
import { closeTabs, hasTab } from './tabs';
import { WindowSilent, withinTime } from './time-limit';

/** Tries while the person types in the same document: each is a compare-and-swap on its version. */
const TRIES = 20;
type LandResult = Promise<Result<Landed, FileProblem>>;

/**
 * The Files port inside the editor: the disk, but a change to an open file goes through its document, so that the
 * person's undo stack, cursor and folds survive. What the editor would not keep byte for byte lands on disk.
 */
export function editorFiles(disk: Files, documents: EditorDocuments, log: Log): Files {
  return { ...disk, land: (change) => land(change, { disk, documents, log }) };
}

async function land(change: Landing, world: World): LandResult {
  if (isUnsaved(change, world.documents)) return fail(dirty(change.path));
  switch (change.kind) {
    case 'replace':
      return replace(change, world);
    case 'delete':
    case 'remove-link':
    case 'rename': {
      const landed = await world.disk.land(change);
      // A tab of a file that is gone would bring it back with the next save.
      if (landed.ok) await closeTabsOf(change.path, world.log);
      return landed;
    }
    default:
      return world.disk.land(change);
  }
}

/** The file is gone by now, so whatever comes of this is no failure of the change. */
async function closeTabsOf(path: AbsolutePath, log: Log): Promise<void> {
  try {
    await withinTime(closeTabs(path), WINDOW_LIMIT, 'close tabs');
  } catch (error) {
    log.warn(`landing: the tabs of ${path} stay open: ${messageOf(error)}`);
  }
}

async function replace(change: Landing & { kind: 'replace' }, world: World): LandResult {
  // An undo gives back these very bytes: a save in the editor might format them.
  if (change.exact) return toDisk(change, world);
  const open = openIn(change.path, world.documents);
  if (!open || change.bytes.byteLength > LARGEST_DOCUMENT) return toDisk(change, world);
  const current = await world.disk.read(change.path, { maxBytes: LARGEST_DOCUMENT });
  if (!current.ok) return current;
  if (current.value.sha256 !== change.expected) return fail(changedMeanwhile(change.path));
  // The disk refuses it. The editor would leave an unsaved tab that the person is asked about, or as root write it all the same.
  if ((current.value.stat.mode & 0o222) === 0) return toDisk(change, world);
  if (change.mode !== undefined && change.mode !== (current.value.stat.mode & 0o7777))
    return toDisk(change, world);
  const { bytes: before } = current.value;
  try {
    const landed =
      'cellCount' in open
        ? await replaceInNotebook(open, before, change, world)
        : await replaceInText(open, before, change, world);
    return landed ?? (await toDisk(change, world));
  } catch (error) {
    if (!(error instanceof WindowSilent)) throw error;
    world.log.warn(`landing: ${error.message}; writing ${change.path} to disk`);
    return toDisk(change, world);
  }
}

/** What the person has of that file in a tab: a text, or a notebook. */
function openIn(
  path: AbsolutePath,
  documents: EditorDocuments,
): vscode.TextDocument | vscode.NotebookDocument | undefined {
  return [documents.find(path), documents.findNotebook(path)].find((open) => open && hasTab(open.uri));
}

/** Undefined when the editor would not keep every byte. */
async function replaceInText(
  document: vscode.TextDocument,
  before: Uint8Array,
  change: Landing & { kind: 'replace' },
  world: World,
): Promise<Result<Landed, FileProblem> | undefined> {
  const text = await exactText(document, before, change.bytes);
  return text === undefined ? undefined : replaceInDocument(document, text, change, world);
}

/** Asked again right before: what was clean at the beginning may have been typed into meanwhile. */
async function toDisk(change: Landing, { disk, documents }: World): LandResult {
  return isUnsaved(change, documents) ? fail(dirty(change.path)) : disk.land(change);
}

/** The new text, when the document holds exactly the old bytes and would save exactly the new ones; else undefined. */
async function exactText(
  document: vscode.TextDocument,
  before: Uint8Array,
  after: Uint8Array,
): Promise<string | undefined> {
  const encoding = document.encoding;
  const encode = (text: string) =>
    withinTime(vscode.workspace.encode(text, { encoding }), WINDOW_LIMIT, 'encode');
  const text = await withinTime(vscode.workspace.decode(after, { encoding }), WINDOW_LIMIT, 'decode');
  if (hasMixedLineEnds(text, document.eol)) return undefined;
  const [held, saved] = await Promise.all([encode(document.getText()), encode(text)]);
  return equalBytes(held, before) && equalBytes(saved, after) ? text : undefined;
}

async function replaceInDocument(
  document: vscode.TextDocument,
  text: string,
  change: Landing & { kind: 'replace' },
  world: World,
): LandResult {
  await change.beforeChange?.();
  const before = document.getText();
  if (!(await applyText(document, text, world.documents, change.path))) return fail(dirty(change.path));
  const saved = await save(document, world.log);
  const now = await world.disk.read(change.path, { maxBytes: LARGEST_DOCUMENT });
  const asWanted = now.ok && now.value.sha256 === sha256(change.bytes);
  if (!now.ok || !(saved || asWanted)) {
    await takeBack(document, text, before);
    if (!now.ok) return now;
    return fail(now.value.sha256 === change.expected ? unsaved(change.path) : changedMeanwhile(change.path));
  }
  const { sha256: hash, stat } = now.value;
  return ok({
    via: 'editor',
    after: { sha256: hash, bytes: stat.bytes, mode: stat.mode & 0o7777 },
    notes: asWanted ? [] : [SAVED_FURTHER],
  });
}

/** False also when it takes too long: formatters and other save actions run in it, and the disk then tells what came of it. */
async function save(document: vscode.TextDocument, log: Log): Promise<boolean> {
  try {
    return await withinTime(document.save(), SAVE_LIMIT, 'save');
  } catch (error) {
    if (!(error instanceof WindowSilent)) throw error;
    log.warn(`landing: ${error.message}`);
    return false;
  }
}

/** What couldn't be saved must not wait in the editor for the person's next save. Their own words since then stay. */
async function takeBack(document: vscode.TextDocument, text: string, before: string): Promise<void> {
  if (document.isClosed || document.getText() !== text) return;
  const edit = new vscode.WorkspaceEdit();
  const { range, replacement } = differingMiddle(document, before);
  edit.replace(document.uri, range, replacement);
  // Whatever comes of it: the failure that led here is what counts.
  await withinTime(vscode.workspace.applyEdit(edit), WINDOW_LIMIT, 'applyEdit').catch(() => false);
}

/** Replaces the differing middle. False when the person's own change came between: theirs stays, ours is not applied. */
async function applyText(
  document: vscode.TextDocument,
  text: string,
  documents: EditorDocuments,
  path: AbsolutePath,
): Promise<boolean> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (documents.dirtyText(path) !== undefined) return false;
    const edit = new vscode.WorkspaceEdit();
    const { range, replacement } = differingMiddle(document, text);
    if (replacement === '' && range.isEmpty) return true;
    edit.replace(document.uri, range, replacement);
    if (await withinTime(vscode.workspace.applyEdit(edit), WINDOW_LIMIT, 'applyEdit')) return true;
  }
  return false;
}

function differingMiddle(
  document: vscode.TextDocument,
  text: string,
): { range: vscode.Range; replacement: string } {
  const { start, end, replacement } = differenceOf(document.getText(), text);
  return { range: new vscode.Range(document.positionAt(start), document.positionAt(end)), replacement };
}

function hasMixedLineEnds(text: string, eol: vscode.EndOfLine): boolean {
  return eol === vscode.EndOfLine.CRLF ? /(^|[^\r])\n|\r(?!\n)/.test(text) : text.includes('\r');
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

function isUnsaved(change: Landing, documents: EditorDocuments): boolean {
  if (change.kind === 'make-folder' || change.kind === 'remove-empty-folder') return false;
  if (change.kind === 'folder-bits') return false;
  return documents.dirtyText(change.path) !== undefined || documents.dirtyNotebook(change.path);
}
