import { canonicalJson, sha256 } from '#base/hash';
import { delay } from '#base/queue';
import { count, truncate } from '#base/text';
import type { ServerEdit } from '#host/language/edits';
import type { AbsolutePath, RelativePath } from '#protocol/ids';
import type { Touch } from '#protocol/tool-call';
import { bytesOf } from '#tools/files/editable';
import { type ReadyChange, readyChange, type Unready } from '#tools/files/server-changes';
import { lexicalPath, resolveWorkspacePath, showPath } from '#tools/paths';
import { rejected } from '#tools/refusal';
import type { ToolPorts } from '#tools/tool';

/** A file that an edit makes. */
export interface NewFile {
  readonly path: RelativePath;
  readonly absolute: AbsolutePath;
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** A server's edit, held against the files as they are: all that can be written, and what is left out. */
export interface EditPlan {
  readonly ready: readonly ReadyChange[];
  readonly created: readonly NewFile[];
  /** What is not done, and why; sentences for the model. */
  readonly left: readonly string[];
}

/** A document without a tab takes a moment to read what was written to its file; the server then answers for an older text. */
const TRIES = 3;
const PAUSE = 700;
const MOST_LEFT = 40;
const LONGEST_LEFT = 400;

/**
 * Asks for an edit and plans it. Nothing is half done knowingly: where a file of the edit can't be written as it is now (unsaved,
 * changed, not text), all of it is refused. What lies outside of the workspace or is hidden is left out and told.
 */
export async function editPlan(
  tool: string,
  ask: () => Promise<ServerEdit>,
  ports: ToolPorts,
  signal?: AbortSignal,
): Promise<EditPlan> {
  for (let attempt = 1; ; attempt++) {
    const planned = await planOf(tool, await ask(), ports);
    if (!('kind' in planned)) return planned;
    const { kind, shown, why } = planned;
    if (kind === 'changed' && attempt < TRIES) await delay(PAUSE, signal);
    else if (kind === 'unsaved')
      throw rejected(tool, `${shown} has unsaved changes by the user; ask them to save. Nothing was changed`);
    else throw rejected(tool, `${shown} can't be changed, since ${why}. Nothing was changed`);
  }
}

async function planOf(tool: string, edit: ServerEdit, ports: ToolPorts): Promise<EditPlan | Unready> {
  const ready: ReadyChange[] = [];
  const left: string[] = [];
  let hidden = 0;
  for (const file of edit.files) {
    const change = await readyChange(tool, file, ports);
    if (change.ok) {
      const twice = ready.find(({ path }) => path === change.value.path);
      // By a link and by its own name: one write is enough where both mean the same.
      if (twice?.after === change.value.after) continue;
      if (twice)
        return {
          kind: 'unfit',
          shown: showPath(twice.path),
          why: 'it is named twice, with different changes',
        };
      if (change.value.after !== change.value.before) ready.push(change.value);
    } else if (change.error.kind === 'hidden') hidden++;
    else if (change.error.kind === 'outside')
      left.push(`Left as it was: ${change.error.shown}, outside the workspace.`);
    else return change.error;
  }
  const created: NewFile[] = [];
  for (const file of edit.created) {
    const made = await newFile(tool, file, ports);
    if (typeof made === 'string') left.push(made);
    else created.push(made);
  }
  if (hidden > 0)
    left.push(
      `Left as ${hidden === 1 ? 'it was: a file' : `they were: ${hidden} files`} that ${hidden === 1 ? 'is' : 'are'} hidden from you.`,
    );
  return { ready, created, left: bounded([...left, ...movedWords(edit, ports), ...elsewhereWords(edit)]) };
}

/** A server may name more, and longer, than a model has room for. */
function bounded(left: readonly string[]): readonly string[] {
  const more = left.length - MOST_LEFT;
  const told = left.slice(0, MOST_LEFT).map((words) => truncate(words, LONGEST_LEFT));
  return more > 0 ? [...told, `Left out too: ${count(more, 'more thing')} that the server would do.`] : told;
}

async function newFile(
  tool: string,
  { path, text }: ServerEdit['created'][number],
  ports: ToolPorts,
): Promise<NewFile | string> {
  const { workspace, files, encodings } = ports;
  const place = await resolveWorkspacePath(path, workspace, files);
  if (!place.ok) return `Not made: ${showPath(path)}, outside the workspace.`;
  const { relative, absolute, exists } = place.value;
  if (workspace.hidden.by(absolute)) return 'Not made: a file in a place that is hidden from you.';
  if (exists) return `Not made: ${showPath(relative)}, which the editor could not open.`;
  const encoding = await encodings.choose(absolute, new Uint8Array());
  const form = { encoding: encoding === 'utf8bom' ? 'utf8' : encoding, bom: encoding === 'utf8bom' };
  return {
    path: relative,
    absolute,
    text,
    bytes: await bytesOf(tool, text, { form, path: absolute, encodings }),
  };
}

/** Files are renamed and deleted by tools of their own, which people see as such. */
function movedWords({ moved }: ServerEdit, { workspace }: ToolPorts): readonly string[] {
  return moved.map(({ path, to }) => {
    const name = (at: AbsolutePath) => {
      const inside = lexicalPath(at, workspace.root);
      return showPath(inside.ok ? inside.value : at);
    };
    if (workspace.hidden.by(path) || (to !== undefined && workspace.hidden.by(to)))
      return 'Not done: moving a file from or to a place that is hidden from you.';
    return to === undefined
      ? `Not done: deleting ${name(path)}.`
      : `Not done: renaming ${name(path)} to ${name(to)}; rename_file does that.`;
  });
}

function elsewhereWords({ elsewhere }: ServerEdit): readonly string[] {
  return elsewhere.length === 0
    ? []
    : [`Left as they were: ${elsewhere.length} places that are no files, such as cells of notebooks.`];
}

/** What the edit would write: `main` is what the call is about; where the others are denied, it goes on without them. */
export function touchesOf({ ready, created }: EditPlan, main: RelativePath): readonly Touch[] {
  return [
    ...ready.map(({ path }): Touch => {
      const touch = { kind: 'write', path, operation: 'modify' } as const;
      return path === main ? touch : { ...touch, beside: true };
    }),
    ...created.map(({ path }): Touch => ({ kind: 'write', path, operation: 'create' })),
  ];
}

/** How the edit that is about to be made differs from the one that was allowed; undefined when it is that very one. */
export function difference(allowed: EditPlan, now: EditPlan): string | undefined {
  const before = new Map(rowsOf(allowed));
  const after = new Map(rowsOf(now));
  const more = [...after.keys()].filter((path) => !before.has(path));
  if (more.length > 0) return `it would change more files by now (${names(more)})`;
  const other = [...after].filter(([path, row]) => before.get(path) !== row).map(([path]) => path);
  if (other.length > 0) return `it would change other text by now (${names(other)})`;
  const fewer = [...before.keys()].filter((path) => !after.has(path));
  return fewer.length > 0 ? `it would leave out by now what it changed before (${names(fewer)})` : undefined;
}

function rowsOf({ ready, created }: EditPlan): readonly (readonly [string, string])[] {
  return [
    ...ready.map(({ path, expected, bytes }) => [path, canonicalJson([expected, sha256(bytes)])] as const),
    ...created.map(({ path, bytes }) => [path, sha256(bytes)] as const),
  ];
}

function names(paths: readonly string[]): string {
  return `${paths.slice(0, 5).map(showPath).join(', ')}${paths.length > 5 ? ` and ${paths.length - 5} more` : ''}`;
}
