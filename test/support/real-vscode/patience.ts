import { errors, type Locator } from 'playwright-core';

/**
 * Milliseconds for one step of the editor. A guard against hanging, not a measure of speed: what is waited for is a state, and a loaded
 * machine with one core takes ten times as long to come there.
 */
export const STEP_LIMIT_MS = 120_000;

/** True as soon as it can be seen, false when it can't after so many milliseconds. */
export function appears(target: Locator, withinMs: number): Promise<boolean> {
  return succeeds(target.waitFor({ timeout: withinMs }));
}

/** True as soon as it can't be seen, false when it still can after so many milliseconds. */
export function vanishes(target: Locator, withinMs: number): Promise<boolean> {
  return succeeds(target.waitFor({ state: 'hidden', timeout: withinMs }));
}

/** False when a step of the browser took longer than it was given; other failures are thrown. */
export async function succeeds(step: Promise<unknown>): Promise<boolean> {
  try {
    await step;
    return true;
  } catch (error) {
    if (error instanceof errors.TimeoutError) return false;
    throw error;
  }
}
