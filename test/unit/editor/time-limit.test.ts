import { expect, test } from 'vitest';
import { WindowSilent, withinTime } from '#editor/time-limit';

const never = new Promise<never>(() => undefined);

test('a call that the window doesn’t answer ends in words', async () => {
  await expect(withinTime(never, 1, 'definition')).rejects.toThrow(
    new WindowSilent('the editor did not answer within 1 ms: definition'),
  );
});

test('a stop ends the wait at once, also before it began', async () => {
  const stop = new AbortController();
  const waiting = withinTime(never, 60_000, 'definition', stop.signal);
  stop.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  await expect(withinTime(never, 60_000, 'definition', stop.signal)).rejects.toThrow('stopped');
});

test('an answer or a failure in time is handed on, whatever the signal does later', async () => {
  const stop = new AbortController();
  const answer = await withinTime(Promise.resolve(7), 60_000, 'definition', stop.signal);
  stop.abort();
  const failing = withinTime(Promise.reject(new Error('no such file')), 60_000, 'open');
  await expect(failing).rejects.toThrow('no such file');
  expect(answer).toBe(7);
});
