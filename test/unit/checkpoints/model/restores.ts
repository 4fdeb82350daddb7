import { expect } from 'vitest';
import type { Recovered } from '#checkpoints/half-done';
import type { RestorePlan } from '#checkpoints/plan';
import type { RestoreReport, UndoRequest } from '#checkpoints/requests';
import type { RestoreOutcome } from '#protocol/checkpoint';
import type { Bench } from './bench';
import type { Death, RedoDeed, UndoDeed } from './deeds';
import { type State, sameState, sameText, slotsOf } from './memory';
import { groupsOf, type Op, type Session, standing, type Turn, type Undo } from './record';
import { judgeRedo, judgeUndo, type Resolution, resolve } from './verdict';

/** What the model says that may come of a restore: one thing, where it doesn't depend on folders. */
interface Forecast {
  readonly statuses: readonly RestoreOutcome['status'][];
  readonly steps: ReadonlyMap<string, State>;
}

/** What was done in the end: by the deed itself, or by the start after it. */
type End = { readonly outcome: RestoreOutcome } | { readonly recovered: Recovered };

export async function undo(bench: Bench, deed: UndoDeed): Promise<void> {
  const session = bench.session(deed.session);
  const index = session.turns.length - 1 - deed.back;
  const first = session.turns[index];
  if (!first) return;
  const span = deed.scope === 'files' ? deed.span : 'rest';
  const end =
    span === 'rest' ? undefined : span === 'only' ? index : Math.min(index + span, session.turns.length - 1);
  const turns = session.turns.slice(index, end === undefined ? undefined : end + 1);
  const paths = deed.scope === 'files' ? deed.paths : undefined;
  const request: UndoRequest = {
    ...{ sessionId: session.id, turn: first.number, scope: deed.scope, onConflict: deed.onConflict },
    choices: Object.fromEntries(deed.choices),
    ...(span === 'only' ? { only: true } : end === undefined ? {} : { last: turns.at(-1)?.number ?? 0 }),
    ...(paths ? { paths } : {}),
  };
  await undone(bench, { session, first, turns, request }, deed);
}

interface Asked {
  readonly session: Session;
  readonly first: Turn;
  readonly turns: readonly Turn[];
  readonly request: UndoRequest;
}

async function undone(bench: Bench, asked: Asked, deed: UndoDeed): Promise<void> {
  const { session, first, turns, request } = asked;
  const { memory } = bench;
  const ops = request.scope === 'session' ? [] : opsFor(turns, request.paths);
  const verdicts = judgeUndo(ops, { memory, session, all: bench.sessions });
  const decide = (left: readonly string[]) => {
    const choices = {
      ...request.choices,
      ...Object.fromEntries(left.map((path) => [path, 'skip' as const])),
    };
    return resolve(ops, verdicts, { onConflict: request.onConflict ?? 'stop', choices });
  };
  const resolution = decide([]);
  const forecast = { statuses: statusesOf(asked, resolution), steps: resolution.steps };
  const before = memory.snapshot();
  const mayOverwrite = [...resolution.steps.keys()].filter((path) => bench.byHand.has(path));
  const kept = new Map(bench.byHand);
  const run = () => bench.process.checkpoints.undo(request);
  const end = await attempt(bench, { forecast, death: deed.death, run });
  if (!end) return;
  const notes = 'outcome' in end && end.outcome.status === 'done' ? end.outcome.notes : [];
  const left = notes.flatMap((note) => /^Left as it is: (.*)$/.exec(note)?.[1] ?? []);
  const { steps, taken } = decide(resolution.isOpen ? left : []);
  const record: Undo = {
    session,
    steps: [...steps].map(([path, to]) => ({ path, from: before.get(path), to })),
    ...{ place: bench.last, turns: session.turns.length, isRewind: request.scope !== 'files' },
    ...{ id: idOf(bench, session, end), isRedone: false },
  };
  for (const op of taken) op.undoneBy = record;
  if (record.isRewind)
    for (const turn of session.turns.slice(session.turns.indexOf(first))) turn.rewoundBy ??= record;
  bench.undos.push(record);
  if ('recovered' in end) return;
  applied(bench, steps);
  bench.check();
  if (!deed.isTakenBack && mayOverwrite.length === 0) return;
  expect((await redoOf(bench, record, { session }))?.status).toBe('done');
  expect(memory.snapshot()).toEqual(before);
  // What was overwritten at the person's word is theirs again.
  for (const path of mayOverwrite) bench.byHand.set(path, kept.get(path) ?? '');
  bench.check();
}

function opsFor(turns: readonly Turn[], paths: readonly string[] | undefined): readonly Op[] {
  const ops = standing(turns);
  if (!paths) return ops;
  const groups = groupsOf(ops);
  const asked = new Set(paths.map((path) => groups.get(path)));
  return ops.filter(({ touches }) => touches.some(({ path }) => asked.has(groups.get(path))));
}

function statusesOf({ first, turns, request }: Asked, resolution: Resolution): Forecast['statuses'] {
  if (request.scope !== 'files' && first.rewoundBy) return ['nothing'];
  if (request.scope === 'session') return ['done'];
  if (turns.some(({ pruned }) => pruned)) return ['nothing'];
  if (resolution.isOpen) return ANYTHING;
  if (resolution.isRefused) return ['conflict'];
  // Folders alone may be left to take back.
  return resolution.taken.length === 0 && request.scope === 'files' ? ['nothing', 'done'] : ['done'];
}

const ANYTHING: Forecast['statuses'] = ['done', 'conflict', 'nothing'];

interface Attempt {
  readonly forecast: Forecast;
  readonly death: Death | undefined;
  readonly run: () => Promise<RestoreReport>;
}

/** Does it, perhaps dying in it; undefined when nothing was done in the end, and then nothing has changed. */
async function attempt(bench: Bench, { forecast, death, run }: Attempt): Promise<End | undefined> {
  const { statuses, steps } = forecast;
  const before = bench.memory.snapshot();
  bench.dies(death);
  const ended = await bench.ends(run());
  if (ended === 'died') return revive(bench, steps, death?.hands ?? []);
  const { outcome } = ended.value;
  expect([statuses.includes(outcome.status), statuses, outcome]).toEqual([true, statuses, outcome]);
  if (outcome.status !== 'done') bench.check();
  else {
    const changed = [...steps].filter(([path, to]) => !sameState(before.get(path), to)).map(([path]) => path);
    if (statuses !== ANYTHING) expect([...outcome.files].sort()).toEqual(changed.sort());
  }
  if (death) {
    if (outcome.status === 'done') applied(bench, steps, outcome.files);
    expect((await bench.restart()).restores).toEqual([]);
  }
  return outcome.status === 'done' ? { outcome } : undefined;
}

/** Every file is old or new; a person works on; the next start brings all of it to one end, and leaves what the person wrote. */
async function revive(
  bench: Bench,
  steps: ReadonlyMap<string, State>,
  hands: Death['hands'],
): Promise<End | undefined> {
  const { memory, place } = bench;
  const before = memory.snapshot();
  const found = place.look();
  for (const path of new Set([...before.keys(), ...found.files.keys()])) {
    const ends = steps.has(path) ? [before.get(path), steps.get(path)] : [before.get(path)];
    const there = found.files.get(path);
    expect([path, there, ends.some((end) => sameState(end, there))]).toEqual([path, there, true]);
  }
  place.believe(found);
  for (const act of hands) bench.hand(act);
  const touched = memory.snapshot();
  const isForeign = (path: string, to: State) =>
    ![before.get(path), to].some((end) => sameText(end, touched.get(path)));
  const isMet = [...steps].some(([path, to]) => isForeign(path, to));
  const { restores } = await bench.restart();
  const [recovered] = restores;
  expect(restores).toHaveLength(1);
  if (!recovered) return undefined;
  if (hands.length === 0) expect(recovered.state).toBe('done');
  if (isMet) expect(recovered.state).toBe('rolled-back');
  for (const [path, to] of steps) {
    if (isForeign(path, to)) continue;
    memory.put(path, recovered.state === 'done' ? to : before.get(path));
    bench.overwritten([path]);
  }
  if (hands.length > 0) agreeInText(bench);
  return recovered.state === 'done' ? { recovered } : undefined;
}

/** Bits that a person set in the middle of a restore may be either's. */
function agreeInText({ memory, place }: Bench): void {
  const found = place.look();
  const texts = (files: ReadonlyMap<string, { readonly text: string }>) =>
    new Map([...files].map(([path, { text }]) => [path, text]));
  expect(texts(found.files)).toEqual(texts(memory.files));
  place.believe(found);
}

function applied(
  bench: Bench,
  steps: ReadonlyMap<string, State>,
  files: readonly string[] = [...steps.keys()],
): void {
  for (const [path, to] of steps) if (to === undefined && files.includes(path)) bench.memory.put(path, to);
  for (const [path, to] of steps) if (to !== undefined && files.includes(path)) bench.memory.put(path, to);
  bench.overwritten(steps.keys());
}

function idOf({ the }: Bench, session: Session, end: End): string {
  return 'recovered' in end ? end.recovered.operation : (the.store.restores.redoable(session.id)?.id ?? '');
}

export async function redo(bench: Bench, { death, scope, ...deed }: RedoDeed): Promise<void> {
  const session = bench.session(deed.session);
  const { restores } = bench.the.store;
  // Whether an undo found anything but the conversation depends on folders, too.
  const withFiles = scope && (restores.redoable(session.id, 'files')?.id ?? 'none');
  const record = bench.undos.findLast((each) =>
    withFiles ? each.id === withFiles : each.session === session && !each.isRedone,
  );
  await redoOf(bench, record, { death, scope, session });
}

interface Redone {
  readonly session: Session;
  readonly death?: Death | undefined;
  readonly scope?: 'files' | undefined;
}

async function redoOf(
  bench: Bench,
  record: Undo | undefined,
  { session, death, scope }: Redone,
): Promise<RestoreOutcome | undefined> {
  const scene = { memory: bench.memory, session, all: bench.sessions };
  const verdicts = record && !record.filesAreBack ? judgeRedo(record.steps, record.place, scene) : [];
  const steps = new Map(verdicts.filter(({ kind }) => kind === 'step').map(({ path, to }) => [path, to]));
  const isRewind = record?.isRewind && !scope;
  const hasGoneOn = isRewind && session.turns.slice(record.turns).some(({ rewoundBy }) => !rewoundBy);
  const isOpen = verdicts.some((verdict) => verdict.isOpen);
  const isRefused = verdicts.some(({ kind }) => kind === 'conflict');
  const status: RestoreOutcome['status'] = !record || hasGoneOn ? 'nothing' : isRefused ? 'conflict' : 'done';
  const statuses = isOpen && status === 'done' ? ANYTHING : [status];
  const run = () => bench.process.checkpoints.redo({ sessionId: session.id, ...(scope ? { scope } : {}) });
  const end = await attempt(bench, { forecast: { statuses, steps }, death, run });
  if (!end || !record) return undefined;
  standsAgain(record, scope);
  if ('recovered' in end) return undefined;
  applied(bench, steps);
  bench.check();
  return end.outcome;
}

/** What the undo took counts again: all of it, or its files. */
function standsAgain(record: Undo, scope: 'files' | undefined): void {
  const isPart = record.isRewind && scope === 'files';
  if (isPart) record.filesAreBack = true;
  else record.isRedone = true;
  for (const turn of record.session.turns) {
    if (turn.rewoundBy === record && !isPart) turn.rewoundBy = undefined;
    for (const op of turn.ops) if (op.undoneBy === record) op.undoneBy = undefined;
  }
  const { edit } = record;
  if (edit) edit.turn.ops = edit.turn.ops.filter((op) => op !== edit.op);
}

/** One changed block of a file goes back: nothing else changes, and it goes back to what was there before. */
export async function undoBlock(bench: Bench, session: Session, path: string, slot: number): Promise<void> {
  const { memory, the } = bench;
  const before = memory.snapshot();
  const place = { path, line: 2 * slot + 1, side: 'now' as const };
  const { outcome } = await bench.process.checkpoints.undoHunk({ sessionId: session.id, since: 0 }, place);
  if (outcome.status !== 'done') return bench.check();
  const { id, plan } = the.store.restores.redoable<RestorePlan>(session.id) ?? { id: '', plan: undefined };
  const ops = opsFor(session.turns, [path]);
  const target = ops.flatMap(({ touches }) => touches).find((touch) => touch.path === path)?.before;
  const now = memory.files.get(path);
  const edit = plan?.edits?.[0];
  const common = { session, turns: session.turns.length, isRewind: false, id, isRedone: false };
  if (edit && now) {
    const found = bench.place.look().files.get(path);
    // A file that came by a rename is compared with what it was under its old name.
    const back = target ? slotsOf(target.text)[slot] : expect.any(String);
    const expected = slotsOf(now.text).map((word, at) => (at === slot ? back : word));
    expect([path, slotsOf(found?.text ?? '')]).toEqual([path, expected]);
    const number = the.store.checkpoints.get(edit.checkpointId)?.turn;
    const turn = session.turns.find((each) => each.number === number) as Turn;
    const op = bench.add(turn, [{ path, before: now, after: found }]);
    applied(bench, new Map([[path, found]]));
    const steps = [{ path, from: now, to: found }];
    bench.undos.push({ ...common, steps, place: bench.last, edit: { turn, op } });
  } else {
    // A file that stands where another stood before is new with the turn that put it there: what was before stays.
    const since = Math.min(...(plan?.turns ?? []));
    const whole = opsFor(
      session.turns.filter(({ number }) => number >= since),
      [path],
    );
    const verdicts = judgeUndo(whole, { memory, session, all: bench.sessions });
    const { steps, taken } = resolve(whole, verdicts, { onConflict: 'stop', choices: {} });
    const list = [...steps].map(([at, to]) => ({ path: at, from: before.get(at), to }));
    const record: Undo = { ...common, steps: list, place: bench.last };
    for (const op of taken) op.undoneBy = record;
    bench.undos.push(record);
    applied(bench, steps);
  }
  bench.check();
}
