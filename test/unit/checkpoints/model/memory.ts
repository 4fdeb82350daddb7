/** What a path holds: text and permission bits, or a link, whose text says so; undefined: neither. */
export type State = { readonly text: string; readonly mode: number } | undefined;

/** Bits of a file that nobody asked for others. */
export const USUAL = 0o666 & ~process.umask();

/** A link that leads there. */
export function linkTo(target: string): NonNullable<State> {
  return { text: `→ ${target}`, mode: USUAL };
}

export function isLink(state: State): boolean {
  return state?.text.startsWith('→ ') ?? false;
}

/** A folder as plain values: files with what they hold, and folders. */
export class Memory {
  readonly files = new Map<string, { readonly text: string; readonly mode: number }>();
  readonly folders = new Set<string>();

  isFolder(path: string): boolean {
    return this.folders.has(path);
  }

  isAnything(path: string): boolean {
    return this.files.has(path) || this.folders.has(path);
  }

  /** Nothing but folders, or nothing at all, stands above the path. */
  isReachable(path: string): boolean {
    return ancestorsOf(path).every((folder) => !this.files.has(folder));
  }

  /** The path can hold a file: nothing else stands there, and no file above it. */
  canHold(path: string): boolean {
    return this.isReachable(path) && !this.folders.has(path);
  }

  put(path: string, state: State): void {
    if (state === undefined) this.files.delete(path);
    else {
      for (const folder of ancestorsOf(path)) this.folders.add(folder);
      this.files.set(path, state);
    }
  }

  /** A folder with all that is in it. */
  removeFolder(path: string): void {
    for (const file of [...this.files.keys()]) if (file.startsWith(`${path}/`)) this.files.delete(file);
    for (const folder of [...this.folders])
      if (folder === path || folder.startsWith(`${path}/`)) this.folders.delete(folder);
  }

  /** Files by path, as they are compared with those of a disk. */
  tree(): Record<string, string> {
    return Object.fromEntries([...this.files].sort().map(([path, state]) => [path, wordsOf(state)]));
  }

  snapshot(): ReadonlyMap<string, State> {
    return new Map(this.files);
  }
}

export function wordsOf(state: State): string {
  if (state === undefined) return '(nothing)';
  return `${state.mode === USUAL ? '' : `${state.mode.toString(8)} `}${state.text}`;
}

export function ancestorsOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

export function sameText(a: State, b: State): boolean {
  return a?.text === b?.text;
}

export function sameState(a: State, b: State): boolean {
  return sameText(a, b) && a?.mode === b?.mode;
}

/** Every content is three words on lines of their own, with lines between them that never change: what differs are whole blocks. */
export function textOf(slots: readonly string[]): string {
  return `${slots.join('\n-\n')}\n`;
}

export function slotsOf(text: string): readonly string[] {
  return text.slice(0, -1).split('\n-\n');
}

export function withSlot(text: string, slot: number, word: string): string {
  return textOf(slotsOf(text).map((old, at) => (at === slot ? word : old)));
}

/** What two hands made of a common base; undefined when both changed one slot to different words. */
export function merged(base: string, ours: string, theirs: string): string | undefined {
  const [common, mine, other] = [slotsOf(base), slotsOf(ours), slotsOf(theirs)];
  const slots = common.map((word, at) => {
    if (other[at] === word || other[at] === mine[at]) return mine[at];
    return mine[at] === word ? other[at] : undefined;
  });
  return slots.some((word) => word === undefined) ? undefined : textOf(slots as string[]);
}
