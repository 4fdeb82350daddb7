import { vi } from 'vitest';

/** Waits until it no longer throws, and gives what it gives. The limit guards against hanging: other work may share the machine. */
export function eventually<T>(holds: () => T): Promise<Awaited<T>> {
  return vi.waitFor(holds, 50_000) as Promise<Awaited<T>>;
}
