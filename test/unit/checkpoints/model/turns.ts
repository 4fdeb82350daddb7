import { expect } from 'vitest';
import { type Hands, handsOf } from '../hands';
import type { Bench } from './bench';
import type { Act, Death, Part, Step } from './deeds';
import { isLink, type State, sameState, sameText, textOf, USUAL, withSlot } from './memory';
import type { Identity } from './place';
import { beginTurn, endTurn } from './process';
import type { Session, Touch, Turn } from './record';

/** A turn of a session, perhaps cut off by a death; then the next start comes too. */
export async function turn(
  bench: Bench,
  session: Session,
  steps: readonly Step[],
  death: Death | undefined,
): Promise<void> {
  bench.dies(death);
  await bench.ends(work(bench, session, steps));
  if (!death) return;
  const { pending } = bench;
  bench.pending = undefined;
  if (pending && death.isLanded) land(bench, pending.touches);
  for (const act of death.hands) bench.hand(act);
  if (pending) settle(bench, pending.turn, pending.touches);
  const { restores } = await bench.restart();
  expect(restores).toEqual([]);
}

async function work(bench: Bench, session: Session, steps: readonly Step[]): Promise<void> {
  const { process } = bench;
  const begun = beginTurn(process, session.id);
  const turn: Turn = { number: begun.number, ops: [], rewoundBy: undefined, pruned: false };
  session.turns.push(turn);
  bench.open.push(begun);
  const hands = handsOf(process.world, begun.journal);
  for (const step of steps) await perform(bench, { session, turn, hands }, step);
  await endTurn(process, begun);
  bench.open.splice(bench.open.indexOf(begun), 1);
}

interface Running {
  readonly session: Session;
  readonly turn: Turn;
  readonly hands: Hands;
}

async function perform(bench: Bench, running: Running, step: Step): Promise<void> {
  if (step.step === 'hand') {
    bench.hand(step.act);
    return;
  }
  if (step.step === 'command') return command(bench, running, step);
  const wanted = wantedBy(bench, step);
  bench.pending = wanted && { turn: running.turn, touches: wanted };
  const isDone = await tool(running.hands, step, wanted).then(
    () => true,
    () => false,
  );
  bench.pending = undefined;
  // What can't be done is refused, and what is refused changes nothing.
  expect([step, isDone]).toEqual([step, wanted !== undefined]);
  if (!wanted) return;
  land(bench, wanted);
  bench.add(running.turn, wanted);
}

type ToolStep = Exclude<Step, { readonly step: 'hand' | 'command' }>;

/** What a tool's step would do; undefined when it can't. */
function wantedBy({ memory, place }: Bench, step: ToolStep): readonly Touch[] | undefined {
  const { path } = step;
  const there = memory.files.get(path);
  // Tools go where a link leads: at its own path there is nothing for them.
  if (isLink(there)) return undefined;
  const touch = (after: State): readonly Touch[] => [{ path, before: there, after }];
  const made = () => ({ text: place.text('belay'), mode: there?.mode ?? USUAL });
  switch (step.step) {
    case 'create':
      return memory.canHold(path) && !there ? touch(made()) : undefined;
    case 'overwrite':
      return there || memory.canHold(path) ? touch(made()) : undefined;
    case 'word':
      return there && touch({ ...there, text: withSlot(there.text, step.slot, place.word('belay')) });
    case 'remove':
      return there && touch(undefined);
    case 'rename': {
      if (!there || memory.isAnything(step.to) || !memory.isReachable(step.to)) return undefined;
      const gone: Touch = { path, before: there, after: undefined };
      return [gone, { path: step.to, before: undefined, after: there }];
    }
  }
}

async function tool(hands: Hands, step: ToolStep, wanted: readonly Touch[] | undefined): Promise<void> {
  const { path } = step;
  const after = wanted?.[0]?.after;
  const text = after && after !== 'unknown' ? after.text : textOf(['refused']);
  const isThere = wanted?.[0]?.before !== undefined;
  switch (step.step) {
    case 'create':
      return hands.create(path, text);
    case 'overwrite':
      return isThere ? hands.edit(path, text) : hands.create(path, text);
    case 'word':
      return hands.edit(path, text);
    case 'remove':
      return hands.remove(path);
    case 'rename':
      return hands.rename(path, step.to);
  }
}

function land(bench: Bench, touches: readonly Touch[]): void {
  for (const { path, after } of touches) if (after !== 'unknown') bench.memory.put(path, after);
  bench.overwritten(touches.map(({ path }) => path));
}

/** What the next start makes of a change that was cut off: it happened, it didn't, or nobody knows. */
function settle(bench: Bench, turn: Turn, touches: readonly Touch[]): void {
  const holds = (wanted: (touch: Touch) => State | 'unknown') =>
    touches.every((touch) => {
      const state = wanted(touch);
      return state !== 'unknown' && sameText(bench.memory.files.get(touch.path), state);
    });
  if (holds(({ after }) => after)) {
    const found = touches.map((touch) => ({ ...touch, after: bench.memory.files.get(touch.path) }));
    bench.add(turn, found);
  } else if (!holds(({ before }) => before))
    bench.add(
      turn,
      touches.map((touch) => ({ ...touch, after: 'unknown' })),
    );
}

/** A command is a program: what it changed is known by comparing before and after, but for what others did meanwhile. */
async function command(
  bench: Bench,
  { session, turn, hands }: Running,
  { parts, isBeside }: Step & { readonly step: 'command' },
): Promise<void> {
  const { memory, process } = bench;
  const isFatal = process.files.isFatal();
  const before = memory.snapshot();
  const ofOthers = new Set<string>();
  const were = bench.place.identities();
  const seen = hands.run(
    'make',
    async () => {
      for (const part of parts) await play(bench, session, part, ofOthers);
      if (isFatal) await process.files.die();
    },
    { beside: isBeside ? ['npm run watch'] : [] },
  );
  await seen;
  if (isBeside) return;
  const isLinkNow = (path: string) => isLink(memory.files.get(path));
  const stays = takenFromOthers({ before, ofOthers, were, now: bench.place.identities(), isLinkNow });
  for (const path of new Set([...before.keys(), ...memory.files.keys()])) {
    const [was, now] = [before.get(path), memory.files.get(path)];
    if (!sameState(was, now) && !ofOthers.has(path) && !(was === undefined && now && stays(path, now)))
      bench.add(turn, [{ path, before: was, after: now }], turn.number);
  }
}

interface Taken {
  readonly before: ReadonlyMap<string, State>;
  readonly ofOthers: ReadonlySet<string>;
  readonly were: ReadonlyMap<string, Identity>;
  readonly now: ReadonlyMap<string, Identity>;
  isLinkNow(path: string): boolean;
}

type Held = NonNullable<State>;

/** What the command moved, or seems to have copied, from where others had written: an undo would leave their content nowhere. */
function takenFromOthers({
  before,
  ofOthers,
  were,
  now,
  isLinkNow,
}: Taken): (path: string, state: Held) => boolean {
  const gone = [...ofOthers].filter((path) => {
    const was = before.get(path);
    const isSame = were.get(path)?.inode === now.get(path)?.inode && isLink(was) === isLinkNow(path);
    return was && !isSame;
  });
  const files = gone.filter((path) => !isLink(before.get(path)));
  const sizes = new Set(files.map((path) => Buffer.byteLength(before.get(path)?.text ?? '')));
  const moved = new Set(gone.flatMap((path) => were.get(path)?.file ?? []));
  return (path, state) =>
    (!isLink(state) && sizes.has(Buffer.byteLength(state.text))) || moved.has(now.get(path)?.file ?? '');
}

async function play(bench: Bench, session: Session, part: Part, ofOthers: Set<string>): Promise<void> {
  if (part.by === 'command') return program(bench, part.act);
  if (part.by === 'hand') {
    const saved = bench.hand(part.act, true);
    if (saved !== undefined) ofOthers.add(saved);
    return;
  }
  const other = bench.session(part.session);
  if (other === session) return;
  const last = bench.last;
  await work(bench, other, [{ step: 'overwrite', path: part.path }]);
  if (bench.last > last) ofOthers.add(part.path);
}

function program(bench: Bench, act: Act): void {
  const before = bench.memory.snapshot();
  bench.place.act(act, 'command');
  const changed = [...before].filter(([path, state]) => !sameText(state, bench.memory.files.get(path)));
  bench.overwritten(changed.map(([path]) => path));
}
