import { sha256 } from '#base/hash';
import { argumentsKey } from '#gates/arguments';
import type { ToolCall } from '#protocol/tool-call';
import type { ToolResult } from '#protocol/tool-result';

/** So many times in a row, then the model is told. */
const TOLD_AFTER = 3;
/** So many times in a row, then the turn stops. */
const STOPPED_AFTER = 5;
/** Steps of the longest round that is noticed: A, B, C, D, A, B, C, D … */
const LONGEST_ROUND = 4;

/** What follows from a step: nothing, a word to the model, or the end of the turn. */
export type RepeatVerdict =
  | { readonly kind: 'fine' }
  | { readonly kind: 'tell'; readonly name: string; readonly times: number }
  | { readonly kind: 'stop'; readonly name: string; readonly times: number };

interface Round {
  readonly name: string;
  readonly times: number;
}

/** Notices when the model makes the same call step after step, or the same few by turns, and gets the same results each time. */
export class Repeats {
  #counts: ReadonlyMap<string, number> = new Map();
  readonly #steps: { readonly key: string; readonly names: readonly string[] }[] = [];

  /** Takes one step's calls with their results and says what follows from it. */
  note(step: readonly { readonly call: ToolCall; readonly result: ToolResult }[]): RepeatVerdict {
    // Nothing but waiting: what comes after it may look at the same again.
    if (step.length === 0) {
      this.#counts = new Map();
      this.#steps.length = 0;
      return { kind: 'fine' };
    }
    const keys = step.map(keyOf);
    this.#steps.push({ key: keys.toSorted().join(), names: step.map(({ call }) => call.name) });
    if (this.#steps.length > LONGEST_ROUND * STOPPED_AFTER) this.#steps.shift();
    const same = this.#sameCall(step, keys);
    const found = same && same.times >= TOLD_AFTER ? same : this.#round();
    if (!found) return { kind: 'fine' };
    return { kind: found.times >= STOPPED_AFTER ? 'stop' : 'tell', ...found };
  }

  /** The call of this step that was in most steps before it without a gap. */
  #sameCall(step: readonly { readonly call: ToolCall }[], keys: readonly string[]): Round | undefined {
    const counts = new Map<string, number>();
    let worst: Round | undefined;
    for (const [index, key] of keys.entries()) {
      const times = (this.#counts.get(key) ?? 0) + 1;
      counts.set(key, times);
      if (times > (worst?.times ?? 0)) worst = { name: step[index]?.call.name ?? '', times };
    }
    this.#counts = counts;
    return worst;
  }

  /** Several steps that come again and again in the same order; told when one has just come to its end. */
  #round(): Round | undefined {
    const steps = this.#steps;
    for (let length = 2; length <= LONGEST_ROUND; length++) {
      let alike = 0;
      while (alike + length < steps.length && isSame(steps.at(-1 - alike), steps.at(-1 - alike - length)))
        alike++;
      const run = alike + length;
      const times = Math.floor(run / length);
      if (times < TOLD_AFTER || run % length !== 0) continue;
      const names = new Set(steps.slice(-length).flatMap((each) => each.names));
      return { name: `${[...names].join(' and ')} by turns`, times };
    }
    return undefined;
  }
}

function isSame(
  one: { readonly key: string } | undefined,
  two: { readonly key: string } | undefined,
): boolean {
  return one !== undefined && one.key === two?.key;
}

function keyOf({ call, result }: { readonly call: ToolCall; readonly result: ToolResult }): string {
  return sha256(`${call.name}\n${argumentsKey(call.rawInput)}\n${result.status}\n${result.content}`);
}
