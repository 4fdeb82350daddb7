import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type App, type AppSession, createApp } from '#app';
import { denyingPrompter, nodeHost, stderrLog } from '#headless/node-host';
import { ScriptedModel } from '#headless/scripted-model';
import type { ModelEvent, ModelRequest } from '#models/model';
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
  /** From the end of the reply that asks for it to the next request: the record, all gates, the tool; in milliseconds. */
  readonly ms: number;
  /** From the call being announced to its result being recorded, where it changes something: what only reads is recorded later. */
  readonly recordedMs: number;
}

/** A call that fails breaks the benchmark off: its time would be worth nothing. */
export async function openCore(
  folder: string,
  options: { readonly mode?: Mode; readonly settings?: Partial<Settings> } = {},
): Promise<BenchCore> {
  const storage = mkdtempSync(path.join(os.tmpdir(), 'belay-bench-storage-'));
  const settings = settingsSchema.parse({ maxSteps: 1000, ...options.settings });
  const host = nodeHost({ settings, storage, trusted: true, prompter: denyingPrompter, log: stderrLog() });
  const model = new TimedModel();
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
      const recorded: number[] = [];
      let asked = 0;
      const watch = session.onEvent((event) => {
        if (event.type === 'tool.requested') asked = performance.now();
        if (event.type === 'tool.completed') recorded.push(successAt(event) - asked);
      });
      const status = await session.send('Go on.');
      watch.dispose();
      const timed = model.takeTimed();
      if (status !== 'done' || timed.length !== calls.length || recorded.length !== calls.length)
        throw new Error(`the turn ended as ${status} after ${recorded.length} calls`);
      return timed.map((ms, index) => ({ ms, recordedMs: recorded[index] ?? Number.NaN }));
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      rmSync(storage, { recursive: true, force: true });
    },
  };
}

function successAt(event: Extract<SessionEvent, { readonly type: 'tool.completed' }>): number {
  if (event.status !== 'success') throw new Error(`${event.name} ended as ${event.status} ${event.code}`);
  return performance.now();
}

/** Events may be told later than what they tell of; a model hears of a result when the request with it comes. */
class TimedModel extends ScriptedModel {
  #timed: number[] = [];
  #replied: number | undefined;

  takeTimed(): readonly number[] {
    const timed = this.#timed;
    this.#timed = [];
    this.#replied = undefined;
    return timed;
  }

  override async *stream(request: ModelRequest): AsyncIterable<ModelEvent> {
    if (this.#replied !== undefined) this.#timed.push(performance.now() - this.#replied);
    for await (const event of super.stream(request)) {
      if (event.kind === 'finish') this.#replied = performance.now();
      yield event;
    }
  }
}
