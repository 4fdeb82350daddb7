import type { SessionId } from '#protocol/ids';
import type { State } from './memory';

/** What an operation did to one path; `unknown`: Belay died in it, and what is there is neither old nor new. */
export interface Touch {
  readonly path: string;
  readonly before: State;
  readonly after: State | 'unknown';
}

/** One thing that a turn did: to one path, or to two by a rename. */
export interface Op {
  /** In the order of all that happened; a fork's copy keeps its original's. */
  readonly place: number;
  /** It was made by a fork. */
  readonly isCopy: boolean;
  readonly touches: readonly Touch[];
  /** The turn whose command did it; undefined when a tool did. */
  readonly command: number | undefined;
  /** What took it back. */
  undoneBy: Undo | 'before the fork' | undefined;
}

export interface Turn {
  readonly number: number;
  ops: Op[];
  rewoundBy: Undo | 'before the fork' | undefined;
  pruned: boolean;
}

/** An undo that was done, as its redo needs it. */
export interface Undo {
  readonly session: Session;
  readonly steps: readonly { readonly path: string; readonly from: State; readonly to: State }[];
  /** The last operation of all when it was done. */
  readonly place: number;
  /** Turns of the session when it was done. */
  readonly turns: number;
  readonly isRewind: boolean;
  /** An undo of one block records an operation of its own. */
  readonly edit?: { readonly turn: Turn; readonly op: Op };
  /** Its name in the store. */
  readonly id: string;
  isRedone: boolean;
  /** Only the conversation is still away. */
  filesAreBack?: boolean;
}

export interface Session {
  readonly id: SessionId;
  readonly turns: Turn[];
}

/** A session's turns before one of them, with what stands and what doesn't; the conversation is as it was then. */
export function forked(from: Session, id: SessionId, before: number): Session {
  const wasRewound = ({ rewoundBy }: Turn) =>
    rewoundBy === 'before the fork' || (rewoundBy !== undefined && rewoundBy.turns <= before);
  const turns = from.turns.slice(0, before).map(
    (turn): Turn => ({
      ...turn,
      rewoundBy: wasRewound(turn) ? 'before the fork' : undefined,
      ops: turn.ops.map((op) => ({ ...op, isCopy: true, undoneBy: op.undoneBy && 'before the fork' })),
    }),
  );
  return { id, turns };
}

export function standing(turns: readonly Turn[]): Op[] {
  return turns.flatMap(({ ops }) => ops).filter(({ undoneBy }) => undoneBy === undefined);
}

/**
 * Standing operations on a path after a place: a session's own, and what others did that it has no copy of. A copy says nothing that its
 * original, as long as that is kept, doesn't say.
 */
export function newerOn(
  path: string,
  place: number,
  { session, all }: { readonly session: Session; readonly all: readonly Session[] },
): { readonly own: readonly Op[]; readonly others: readonly Op[] } {
  const on = (of: Session) =>
    standing(of.turns).filter((op) => op.place > place && op.touches.some((touch) => touch.path === path));
  const places = new Set(session.turns.flatMap(({ ops }) => ops.map((op) => op.place)));
  const originals = new Set(
    all
      .flatMap(({ turns }) => turns.flatMap(({ ops }) => ops.filter((op) => !op.isCopy)))
      .map((op) => op.place),
  );
  const others = all
    .filter((other) => other !== session)
    .flatMap(on)
    .filter((op) => !places.has(op.place) && !(op.isCopy && originals.has(op.place)));
  return { own: on(session), others };
}

/** Names that renames tie together, and those between which a command moved a file, by one of them. */
export function groupsOf(ops: readonly Op[]): ReadonlyMap<string, string> {
  const groups = new Map<string, string>();
  const tie = (names: readonly string[]) => {
    const old = names.map((name) => groups.get(name) ?? name);
    const [first = ''] = old;
    for (const name of names) groups.set(name, first);
    for (const [name, group] of groups) if (old.includes(group)) groups.set(name, first);
  };
  for (const { touches } of ops) tie(touches.map(({ path }) => path));
  const gone = new Map<string, string>();
  const ofCommands = ops.flatMap(({ command, touches: [touch] }) =>
    command !== undefined && touch && touch.after !== 'unknown'
      ? [{ ...touch, after: touch.after, command }]
      : [],
  );
  for (const { path, before, after, command } of ofCommands)
    if (before && !after) gone.set(`${command} ${before.text}`, path);
  for (const { path, before, after, command } of ofCommands) {
    const from = after && !before ? gone.get(`${command} ${after.text}`) : undefined;
    if (from !== undefined) tie([from, path]);
  }
  return groups;
}
