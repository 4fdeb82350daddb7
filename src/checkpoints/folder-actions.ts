import type { Action, Work } from './action';
import { folderIn } from './paths';
import type { FileStep } from './preflight';

/** What a folder's owner needs to work in it. */
const OPEN = 0o700;

/** One change of a folder's permission bits; the path is without the `/`. */
export type BitsAction = Extract<Action, { readonly kind: 'folder-bits' }>;

/** With these bits its owner may list, enter and change a folder. */
export function opened(bits: number): number {
  return bits | OPEN;
}

/** Before anything else: every folder that work is to be done in lets its owner in, outermost first. */
export function openings(work: Work): BitsAction[] {
  const bits = new Map(Object.entries(work.opened ?? {}));
  for (const path of work.removeFolders) if (work.bits?.[path] !== undefined) bits.set(path, work.bits[path]);
  for (const { path, was } of stepsIn(work.files)) bits.set(path, was);
  return [...bits]
    .map(([path, was]) => ({ kind: 'folder-bits', path, was, becomes: opened(was) }) as const)
    .filter(isChange)
    .sort(outermostFirst);
}

/** After everything else: every folder gets its bits, innermost first. */
export function closings(work: Work): BitsAction[] {
  const bits = new Map<string, { readonly was: number; readonly becomes: number }>();
  for (const [path, mode] of Object.entries(work.opened ?? {}))
    if (!work.removeFolders.includes(path)) bits.set(path, { was: opened(mode), becomes: mode });
  for (const path of work.makeFolders) {
    const mode = work.bits?.[path];
    if (mode !== undefined) bits.set(path, { was: opened(mode), becomes: mode });
  }
  for (const { path, was, becomes } of stepsIn(work.files)) bits.set(path, { was: opened(was), becomes });
  return [...bits]
    .map(([path, change]) => ({ kind: 'folder-bits', path, ...change }) as const)
    .filter(isChange)
    .sort((a, b) => outermostFirst(b, a));
}

function stepsIn(files: readonly FileStep[]): BitsAction[] {
  return files.flatMap(({ path, from, to }) =>
    from.kind === 'folder' && to.kind === 'folder'
      ? [{ kind: 'folder-bits' as const, path: folderIn(path), was: from.mode, becomes: to.mode }]
      : [],
  );
}

function isChange({ was, becomes }: BitsAction): boolean {
  return was !== becomes;
}

function outermostFirst(a: BitsAction, b: BitsAction): number {
  return depthOf(a.path) - depthOf(b.path);
}

/** The root is `.`. */
function depthOf(path: string): number {
  return path === '.' ? 0 : path.split('/').length;
}
