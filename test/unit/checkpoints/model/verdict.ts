import type { ConflictChoice, ConflictChoices, OnConflict } from '#protocol/checkpoint';
import { ancestorsOf, isLink, type Memory, merged, type State, sameState, sameText } from './memory';
import { groupsOf, newerOn, type Op, type Session } from './record';

/** What becomes of one path. `isOpen`: whether it can be done depends on folders, which the model doesn't judge. */
export interface Verdict {
  readonly path: string;
  readonly kind: 'idle' | 'step' | 'conflict';
  readonly to: State;
  readonly merge?: State;
  readonly isOpen: boolean;
}

/** What is wanted of a path. */
interface Wanted {
  readonly path: string;
  readonly expected: State | 'unknown';
  readonly target: State;
  readonly place: number;
  readonly isBroken: boolean;
}

interface Scene {
  readonly memory: Memory;
  readonly session: Session;
  readonly all: readonly Session[];
}

/** The operations as one change of each path, judged. */
export function judgeUndo(ops: readonly Op[], scene: Scene): Verdict[] {
  const effects = new Map<string, Wanted>();
  for (const { place, touches } of [...ops].sort((a, b) => a.place - b.place))
    for (const { path, before, after } of touches) {
      const known = effects.get(path);
      const isGap = known && (known.expected === 'unknown' || !sameText(known.expected, before));
      const isBroken = known?.isBroken === true || isGap === true;
      effects.set(path, { path, expected: after, target: known ? known.target : before, place, isBroken });
    }
  return [...effects.values()].map((wanted) => {
    const { expected, place, path, isBroken } = wanted;
    const there = scene.memory.files.get(path);
    const isForeign = expected === 'unknown' || !sameText(there, expected) || isBroken;
    const isOlder = newerOn(path, place, scene).own.length > 0;
    return judge(wanted, isForeign || isOlder, scene.memory);
  });
}

/** The way back from an undo. */
export function judgeRedo(
  steps: readonly { readonly path: string; readonly from: State; readonly to: State }[],
  place: number,
  scene: Scene,
): Verdict[] {
  return steps.map(({ path, from, to }) => {
    const wanted = { path, expected: to, target: from, place, isBroken: false };
    const { own, others } = newerOn(path, place, scene);
    const verdict = judge(
      wanted,
      !sameText(scene.memory.files.get(path), to) || own.length > 0,
      scene.memory,
    );
    return own.length + others.length > 0 ? { ...verdict, kind: 'conflict' } : verdict;
  });
}

function judge(wanted: Wanted, isAgainst: boolean, memory: Memory): Verdict {
  const { path, expected, target, isBroken } = wanted;
  const there = memory.files.get(path);
  const isOpen = memory.isFolder(path) || ancestorsOf(path).some((folder) => memory.files.has(folder));
  if (expected !== 'unknown' && sameState(expected, target))
    return { path, kind: 'idle', to: there, isOpen: false };
  const to = withMode(target, expected, there);
  if (sameState(there, to) && !memory.isFolder(path)) return { path, kind: 'idle', to, isOpen: false };
  if (!isAgainst) return { path, kind: 'step', to, isOpen };
  const both =
    expected !== 'unknown' && expected && target && there && !isBroken && !sameText(there, expected);
  const isAnyLink = [there, target, expected === 'unknown' ? undefined : expected].some(isLink);
  const text = both && !isAnyLink ? merged(expected.text, target.text, there.text) : undefined;
  const merge =
    text === undefined || !target ? {} : { merge: withMode({ text, mode: target.mode }, expected, there) };
  return { path, kind: 'conflict', to, isOpen, ...merge };
}

/** Permission bits go back only where they were changed. */
function withMode(target: State, expected: State | 'unknown', there: State): State {
  if (!target || !there || isLink(target) || isLink(there)) return target;
  const isUnchanged = expected === 'unknown' || !expected || expected.mode === target.mode;
  return isUnchanged ? { ...target, mode: there.mode } : target;
}

/** What is to be done about conflicts. */
export interface Decision {
  readonly onConflict: OnConflict;
  readonly choices: ConflictChoices;
}

/** What an undo comes to. */
export interface Resolution {
  readonly isRefused: boolean;
  /** By path: what it holds afterwards. */
  readonly steps: ReadonlyMap<string, State>;
  readonly taken: readonly Op[];
  /** It depends on folders whether it goes through, and what is skipped. */
  readonly isOpen: boolean;
}

export function resolve(ops: readonly Op[], verdicts: readonly Verdict[], decision: Decision): Resolution {
  const groups = groupsOf(ops);
  const left = new Set<string | undefined>();
  const steps = new Map<string, State>();
  let isRefused = false;
  for (const verdict of verdicts) {
    const { path, kind, to, merge } = verdict;
    const tied = [...groups].filter(([name, group]) => group === groups.get(path) && name !== path);
    const choice = choiceFor([path, ...tied.map(([name]) => name)], decision.choices);
    if (choice === 'skip') left.add(groups.get(path));
    if (kind === 'step') steps.set(path, to);
    if (kind !== 'conflict' || choice === 'skip') continue;
    const decided = choice ?? decision.onConflict;
    if (decided === 'skip') left.add(groups.get(path));
    else if (decided === 'merge' && merge && tied.length === 0) steps.set(path, merge);
    else if (decided === 'overwrite') steps.set(path, to);
    else isRefused = true;
  }
  const isLeft = (path: string) => left.has(groups.get(path));
  return {
    isRefused,
    steps: new Map([...steps].filter(([path]) => !isLeft(path))),
    taken: ops.filter(({ touches }) => !touches.some(({ path }) => isLeft(path))),
    isOpen: verdicts.some(({ isOpen }) => isOpen),
  };
}

function choiceFor(names: readonly string[], choices: ConflictChoices): ConflictChoice | undefined {
  const chosen = names.flatMap((name) => (Object.hasOwn(choices, name) ? [choices[name]] : []));
  return chosen.includes('skip') ? 'skip' : chosen[0];
}
