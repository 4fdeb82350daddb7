import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createRedactor } from '#agent/redaction/redactor';
import { SessionLog } from '#agent/session-log';
import type { EventBody } from '#protocol/event';
import type { AbsolutePath, CallId, SessionId, TurnId } from '#protocol/ids';
import { openStore } from '#store/store';
import { alternate, type Measurement, milliseconds } from '#test/bench/benchmark';
import { openLog } from '#test/bench/floors/event-append';

const APPENDS = 200;

/** An event recorded as a session records it (its lease checked, its sequence given), against the bare statement. */
export async function measure(): Promise<readonly Measurement[]> {
  const work = mkdtempSync(path.join(os.tmpdir(), 'belay-store-'));
  try {
    const { log, close } = openSessionLog(path.join(work, 'belay.db'));
    const floor = openLog(path.join(work, 'floor.db'));
    const samples = await alternate(
      { n: 31, warmUp: 5 },
      () => each(() => log.recordNow(EVENT)),
      () => each(() => floor.append(EVENT)),
    );
    close();
    floor.close();
    return [{ name: 'event append', unit: 'ms', ...samples, target: { of: 'ratio', atMost: 1.5 } }];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Milliseconds of one of many. */
async function each(work: () => unknown): Promise<number> {
  const whole = await milliseconds(() => {
    for (let index = 0; index < APPENDS; index++) work();
  });
  return whole / APPENDS;
}

/** About 1 KB, as most are. */
const EVENT: EventBody = {
  type: 'tool.gated',
  turnId: 'turn' as TurnId,
  callId: 'call' as CallId,
  summary: 'Read src/app.ts',
  trace: ['find-tool', 'origin', 'parse', 'schema', 'validate', 'classify', 'permission', 'confine'].map(
    (stage) => ({ stage, verdict: 'pass', why: `what the stage ${stage} has to say of the call`, ms: 0.05 }),
  ),
};

function openSessionLog(file: string): { readonly log: SessionLog; close(): void } {
  const clock = { now: () => Date.now(), monotonic: () => performance.now() };
  const quiet = () => undefined;
  const opened = openStore({
    path: file,
    clock,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  });
  if (!opened.ok) throw new Error(opened.error.message);
  const store = opened.value;
  const sessionId = 'session' as SessionId;
  const owner = { id: 'bench', pid: process.pid, host: os.hostname() };
  const folder = path.dirname(file) as AbsolutePath;
  store.sessions.create({ id: sessionId, folder, title: '', mode: 'prompt', modelId: '', at: clock.now() });
  store.leases.acquire(sessionId, owner, clock.now());
  const log = new SessionLog({
    sessionId,
    store,
    owner,
    clock,
    redactor: createRedactor(() => [], {}),
    onListenerError: quiet,
    onLeaseLost: quiet,
  });
  return { log, close: () => store.close() };
}
