import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type App, type AppSession, createApp } from '#app';
import { denyingPrompter, nodeHost, stderrLog } from '#headless/node-host';
import { ScriptedModel } from '#headless/scripted-model';
import type { SessionEvent } from '#protocol/event';
import { type Mode, type Settings, settingsSchema } from '#protocol/settings';

/** The whole core on a folder, called by a script instead of a model. */
export interface BenchCore extends AsyncDisposable {
  readonly folder: string;
  readonly app: App;
  readonly session: AppSession;
  /** Runs a turn that makes these calls one after the other; says how long each took. */
  turn(...calls: readonly BenchCall[]): Promise<readonly TimedCall[]>;
}

export interface BenchCall {
  readonly name: string;
  readonly input: unknown;
}

export interface TimedCall {
  /** From the call being announced to its result being recorded: all gates, the tool, every event; in milliseconds. */
  readonly ms: number;
  /** Of that, from the moment it had passed the gates. */
  readonly toolMs: number;
}

/** A call that fails breaks the benchmark off: its time would be worth nothing. */
export async function openCore(
  folder: string,
  options: { readonly mode?: Mode; readonly settings?: Partial<Settings> } = {},
): Promise<BenchCore> {
  const storage = mkdtempSync(path.join(os.tmpdir(), 'belay-bench-storage-'));
  const settings = settingsSchema.parse({ maxSteps: 1000, ...options.settings });
  const host = nodeHost({ settings, storage, trusted: true, prompter: denyingPrompter, log: stderrLog() });
  const model = new ScriptedModel();
  const models = { get: async () => ({ ok: true, value: model }) as const };
  const created = await createApp(host, { folder: realpathSync(folder), models });
  if (!created.ok) throw new Error(created.error.detail);
  const app = created.value;
  const session = app.createSession({ mode: options.mode ?? 'workspace-write', modelId: model.id });
  return {
    folder: app.folder,
    app,
    session,
    async turn(...calls) {
      model.play([
        ...calls.map((call, index) => ({ calls: [{ id: `call-${index}`, ...call }] })),
        { text: 'Done.' },
      ]);
      const timed: TimedCall[] = [];
      const watch = session.onEvent(timer(timed));
      const status = await session.send('Go on.');
      watch.dispose();
      if (status !== 'done' || timed.length !== calls.length)
        throw new Error(`the turn ended as ${status} after ${timed.length} calls`);
      return timed;
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      rmSync(storage, { recursive: true, force: true });
    },
  };
}

function timer(
  timed: TimedCall[],
): (event: SessionEvent | { readonly type: 'live.text' | 'live.output' }) => void {
  let [asked, started] = [0, 0];
  return (event) => {
    const now = performance.now();
    if (event.type === 'tool.requested') asked = now;
    if (event.type === 'tool.started') started = now;
    if (event.type !== 'tool.completed') return;
    if (event.status !== 'success') throw new Error(`${event.name} ended as ${event.status} ${event.code}`);
    timed.push({ ms: now - asked, toolMs: now - started });
  };
}
