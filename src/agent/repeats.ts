import { sha256 } from '#base/hash';
import { argumentsKey } from '#gates/arguments';
import type { ToolCall } from '#protocol/tool-call';
import type { ToolResult } from '#protocol/tool-result';

/** So many times in a row, then the model is told. */
const TOLD_AFTER = 3;
/** So many times in a row, then the turn stops. */
const STOPPED_AFTER = 5;

/** What follows from a step: nothing, a word to the model, or the end of the turn. */
export type RepeatVerdict =
  | { readonly kind: 'fine' }
  | { readonly kind: 'tell'; readonly name: string; readonly times: number }
  | { readonly kind: 'stop'; readonly name: string; readonly times: number };

/** Notices when the model makes the same call step after step and gets the same result each time. */
export class Repeats {
  #counts: ReadonlyMap<string, number> = new Map();

  /** Takes one step's calls with their results and says what follows from it. */
  note(step: readonly { readonly call: ToolCall; readonly result: ToolResult }[]): RepeatVerdict {
    const counts = new Map<string, number>();
    let worst: { readonly name: string; readonly times: number } | undefined;
    for (const { call, result } of step) {
      const key = sha256(`${call.name}\n${argumentsKey(call.rawInput)}\n${result.status}\n${result.content}`);
      const times = (this.#counts.get(key) ?? 0) + 1;
      counts.set(key, times);
      if (times > (worst?.times ?? 0)) worst = { name: call.name, times };
    }
    this.#counts = counts;
    if (!worst || worst.times < TOLD_AFTER) return { kind: 'fine' };
    return { kind: worst.times >= STOPPED_AFTER ? 'stop' : 'tell', ...worst };
  }
}
