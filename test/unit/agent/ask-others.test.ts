import { expect, test } from 'vitest';
import { askOthers, isTimeout } from '#agent/contributed/ask-others';

const never = () => new Promise<never>(() => undefined);
const open = new AbortController().signal;

test('an answer comes through, and a failure as it is', async () => {
  expect(await askOthers(async () => 'yes', { signal: open, ms: 60_000 })).toBe('yes');
  await expect(
    askOthers(() => Promise.reject(new Error('no')), { signal: open, ms: 60_000 }),
  ).rejects.toThrow('no');
});

test('the limit ends a wait that nobody else would end, and is told from a stop', async () => {
  const [late, stopped] = await Promise.allSettled([
    askOthers(never, { signal: open, ms: 1 }),
    askOthers(never, { signal: AbortSignal.abort(new Error('stopped')), ms: 60_000 }),
  ]);
  const why = [late, stopped].map((each) => each?.status === 'rejected' && isTimeout(each.reason));
  expect(why).toEqual([true, false]);
});

test('who was asked hears of the stop, and isn’t asked at all after one', async () => {
  const stop = new AbortController();
  const heard = Promise.withResolvers<AbortSignal>();
  const asked = askOthers(
    (signal) => {
      heard.resolve(signal);
      return never();
    },
    { signal: stop.signal, ms: 60_000 },
  );
  const signal = await heard.promise;
  stop.abort(new Error('stopped'));
  await expect(asked).rejects.toThrow('stopped');
  expect(signal.aborted).toBe(true);
  let calls = 0;
  const again = askOthers(async () => (calls += 1), { signal: stop.signal, ms: 60_000 });
  await expect(again).rejects.toThrow('stopped');
  expect(calls).toBe(0);
});
