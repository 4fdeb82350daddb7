/** So many are remembered; the oldest is forgotten first. */
const MOST = 200;

/** Commands that failed in the sandbox, with what explains it, until they succeed. In memory: a new window offers nothing. */
export class FailedInside {
  readonly #why = new Map<string, string>();

  /** Why this very command failed the last time. */
  why(command: string, cwd: string): string | undefined {
    return this.#why.get(keyOf(command, cwd));
  }

  /** It ran; without a reason there is nothing to remember any more. */
  note({ command, cwd }: { readonly command: string; readonly cwd: string }, why: string | undefined): void {
    const key = keyOf(command, cwd);
    this.#why.delete(key);
    if (why === undefined) return;
    this.#why.set(key, why);
    const oldest = this.#why.keys().next();
    if (this.#why.size > MOST && !oldest.done) this.#why.delete(oldest.value);
  }
}

function keyOf(command: string, cwd: string): string {
  return JSON.stringify([cwd, command]);
}
