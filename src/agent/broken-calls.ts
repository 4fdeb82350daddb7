import type { ToolResult } from '#protocol/tool-result';

/** The first one and two more: what the model was told of the first didn't help. */
const STOPPED_AFTER = 3;

/** Counts steps in a row with a call that was cut in the middle or whose arguments are no JSON. None of them ever runs. */
export class BrokenCalls {
  #steps = 0;

  /** Takes a step's results; true when it is the last that is put up with. */
  note(results: readonly Pick<ToolResult, 'code'>[]): boolean {
    const isBroken = results.some(({ code }) => code === 'invalid_json');
    this.#steps = isBroken ? this.#steps + 1 : 0;
    return this.#steps >= STOPPED_AFTER;
  }
}
