import { dirname } from 'node:path/posix';
import type { FileChanges, NamingPlace } from '#host/language/edits';
import type { AbsolutePath, RelativePath } from '#protocol/ids';
import { lexicalPath, showPath } from '#tools/paths';
import type { ToolContext } from '#tools/tool';
import { namingPlaces } from './naming-places';
import type { ExistingFile } from './place';
import { type ReadyChange, readyChange } from './server-changes';
import { settle } from './settle';

/** A file whose imports follow a rename, where it is when it is written. */
export type ImportUpdate = ReadyChange;

/** What naming a file anew does to the imports of others. */
export interface ImportUpdates {
  readonly ready: readonly ImportUpdate[];
  /** What is not updated, and why; sentences for the model. */
  readonly left: readonly string[];
}

/** Places that are named when no server knows. */
const TOLD = 10;
const RELATIVE_IMPORT = /\b(?:from|import|require)\b\s*\(?\s*['"]\.\.?\//;

interface Move {
  readonly tool: string;
  readonly from: ExistingFile;
  readonly to: { readonly relative: RelativePath; readonly absolute: AbsolutePath };
}

/** What language servers would change in this and other files when it moves; where none offers it, which imports seem to mean it. */
export async function importUpdates(move: Move, text: string, context: ToolContext): Promise<ImportUpdates> {
  const { tool, from, to } = move;
  const named = await namingPlaces(tool, from.relative, context);
  const found =
    named.length === 0
      ? undefined
      : await context.intelligence.movingFile(
          { from: from.absolute, to: to.absolute, named },
          context.signal,
        );
  if (found === undefined) return { ready: [], left: notFollowed(move, text, named, context) };
  const ready: ImportUpdate[] = [];
  const left: string[] = [];
  for (const changes of found) {
    const update = await updateOf(changes, move, context);
    if (typeof update === 'string') left.push(update);
    else ready.push(update);
  }
  return { ready, left };
}

function notFollowed(
  { from, to }: Move,
  text: string,
  named: readonly NamingPlace[],
  { workspace }: ToolContext,
): readonly string[] {
  const left: string[] = [];
  const places = named.slice(0, TOLD).map(({ path, line }) => {
    const inside = lexicalPath(path, workspace.root);
    return `${showPath(inside.ok ? inside.value : path)}:${line}`;
  });
  const more = named.length > TOLD ? ' and more' : '';
  if (places.length > 0)
    left.push(`No import was updated. These lines may mean it: ${places.join(', ')}${more}.`);
  if (dirname(from.relative) !== dirname(to.relative) && RELATIVE_IMPORT.test(text))
    left.push('Its own relative imports were not updated.');
  return left;
}

/** Writes them, one after the other; what could not be written is told. */
export async function writeImports(
  tool: string,
  updates: readonly ImportUpdate[],
  context: ToolContext,
): Promise<{ readonly updated: readonly RelativePath[]; readonly notes: readonly string[] }> {
  const updated: RelativePath[] = [];
  const notes: string[] = [];
  for (const { path, absolute, bytes, after, expected, seen } of updates) {
    context.signal.throwIfAborted();
    const outcome = await context.writer.replaceFound(path, bytes, expected);
    if (!outcome.ok) {
      notes.push(`The imports in ${showPath(path)} were not updated: ${outcome.error.message}.`);
      continue;
    }
    updated.push(path);
    if (seen === undefined) continue;
    const put = { place: { relative: path, absolute }, bytes, text: after, whole: seen === 'whole' };
    notes.push(...(await settle(tool, put, Promise.resolve(outcome), context)));
  }
  return { updated, notes };
}

/** A sentence instead of an update where the file can't follow. */
async function updateOf(
  changes: FileChanges,
  { tool, from, to }: Move,
  context: ToolContext,
): Promise<ImportUpdate | string> {
  const ready = await readyChange(tool, changes, context);
  if (ready.ok) {
    // The renamed file itself has moved by then.
    const place =
      ready.value.path === from.relative
        ? to
        : { relative: ready.value.path, absolute: ready.value.absolute };
    return { ...ready.value, path: place.relative, absolute: place.absolute };
  }
  const { kind, shown, why } = ready.error;
  if (kind === 'hidden') return 'The imports in a file that is hidden from you were not updated.';
  return `The imports in ${shown} were not updated: ${why}.`;
}
