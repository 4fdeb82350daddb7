import { expect, test } from 'vitest';
import { delay } from '#base/queue';
import { fail, ok, type Result } from '#base/result';
import { parseEntries } from '#editor/language-servers/entries';
import { LanguageServer, type RunningServer, type StartFailure } from '#editor/language-servers/server';
import { ServerLog } from '#editor/language-servers/server-log';

type Start = (signal: AbortSignal) => Promise<Result<RunningServer, StartFailure>>;

/** A server that lives until it is crashed or stopped. */
function life(pid: number): RunningServer & { crash(): void; isStopped(): boolean } {
  const ended = Promise.withResolvers<string>();
  let stopped = false;
  return {
    pid,
    ended: ended.promise,
    crash: () => ended.resolve('it ended with exit code 1'),
    stop: async () => {
      stopped = true;
      ended.resolve('it was ended by SIGTERM');
    },
    isStopped: () => stopped,
  };
}

function lab(start: Start, maxRestarts = 5) {
  const [entry] = parseEntries({ one: { command: 'a', languages: ['a'], maxRestarts } }).entries;
  if (!entry) throw new Error('an entry');
  const pauses: number[] = [];
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const log = { debug: write, info: write, warn: write, error: write };
  const server = new LanguageServer({
    ...{ entry, start, log: new ServerLog('one', log, () => 0), clock: { monotonic: () => 0 } },
    pause: async (ms, signal) => {
      pauses.push(ms);
      await delay(0, signal);
    },
  });
  const states: string[] = [];
  server.onDidChange(({ kind }) => states.push(kind));
  return { server, pauses, lines, states };
}

const never = new AbortController().signal;

test('it starts when it is needed, once', async () => {
  let starts = 0;
  const { server } = lab(async () => {
    starts += 1;
    return ok(life(starts));
  });
  const before = server.state.kind;
  server.need();
  server.need();
  await server.settled(never);
  expect([before, server.state, starts]).toEqual(['idle', { kind: 'running', pid: 1 }, 1]);
  await server.stop();
});

test('it comes back after a crash', async () => {
  const lives = [life(1), life(2)];
  const { server, pauses, states } = lab(async () => ok(lives.shift() ?? life(3)));
  const [first] = lives;
  server.need();
  await server.settled(never);
  first?.crash();
  await first?.ended;
  while (server.state.kind !== 'running' || server.state.pid === 1) await delay(1);
  expect([pauses, states, server.state]).toEqual([
    [1000],
    ['starting', 'running', 'waiting', 'starting', 'running'],
    { kind: 'running', pid: 2 },
  ]);
  await server.stop();
});

test('one that only crashes is given up, and a person may begin anew', async () => {
  let starts = 0;
  const { server, pauses, lines } = lab(async () => {
    starts += 1;
    return fail({ why: 'it ended with exit code 3', final: false });
  });
  server.need();
  await server.settled(never);
  const why = 'it ended with exit code 3. It crashed too often and is not started again.';
  expect([starts, pauses, server.state, lines.at(-1)]).toEqual([
    6,
    [1000, 2000, 4000, 8000, 16_000],
    { kind: 'failed', why },
    `language server one: ${why}`,
  ]);
  server.need();
  expect(server.state.kind).toBe('failed');
  await server.restart();
  await server.settled(never);
  expect(starts).toBe(12);
});

test('what can not get better is tried once', async () => {
  const { server, pauses } = lab(async () => fail({ why: '"a" was not found.', final: true }));
  server.need();
  await server.settled(never);
  expect([pauses, server.state]).toEqual([[], { kind: 'failed', why: '"a" was not found.' }]);
});

test('stopped in the middle of a start it leaves nothing behind and stays stopped', async () => {
  const begun = Promise.withResolvers<void>();
  const one = life(1);
  const { server, states } = lab(async (signal) => {
    begun.resolve();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return ok(one);
  });
  server.need();
  await begun.promise;
  await server.stop();
  server.need();
  await server.restart();
  expect([one.isStopped(), states, server.state.kind]).toEqual([true, ['starting', 'stopped'], 'stopped']);
});

test('stopped between two starts it does not start again', async () => {
  let starts = 0;
  const waiting = Promise.withResolvers<void>();
  const [entry] = parseEntries({ one: { command: 'a', languages: ['a'] } }).entries;
  if (!entry) throw new Error('an entry');
  const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const server = new LanguageServer({
    ...{ entry, log: new ServerLog('one', quiet, () => 0), clock: { monotonic: () => 0 } },
    start: async () => {
      starts += 1;
      return fail({ why: 'no', final: false });
    },
    pause: (_ms, signal) => {
      waiting.resolve();
      return delay(1_000_000, signal);
    },
  });
  server.need();
  await waiting.promise;
  await server.stop();
  expect([starts, server.state.kind]).toEqual([1, 'stopped']);
});

test('who waits for it may stop waiting', async () => {
  const { server } = lab(async (signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return fail({ why: 'stopped', final: true });
  });
  server.need();
  await server.settled(AbortSignal.timeout(5));
  expect(server.state.kind).toBe('starting');
  await server.stop();
});
