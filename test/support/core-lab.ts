import { setImmediate } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { type App, type AppOptions, type AppSession, createApp } from '#app';
import { ScriptedModel } from '#headless/scripted-model';
import type { Model, ModelRequest } from '#models/model';
import type { SessionEvent } from '#protocol/event';
import type { ModelItem } from '#protocol/scenario';
import type { ToolResult } from '#protocol/tool-result';
import { type MemoryHost, type MemoryHostOptions, memoryHost } from './memory-host';
import { type TempFolder, tempFolder } from './temp-folder';

/** The real core on a real folder, with a scripted model and a host in the test's hands. */
export interface CoreLab {
  readonly folder: TempFolder;
  readonly storage: TempFolder;
  readonly host: MemoryHost;
  readonly model: ScriptedModel;
  /** Models that can be had beside that one, by their ids. */
  readonly models: Map<string, Model>;
  readonly requests: readonly ModelRequest[];
  readonly app: App;
  readonly session: AppSession;
  /** Runs one turn and says how it ended. */
  turn(prompt: string, ...model: readonly ModelItem[]): ReturnType<AppSession['send']>;
  /** The results of all calls so far, in order. */
  results(): readonly ToolResult[];
  types(): readonly SessionEvent['type'][];
}

export interface CoreLabOptions extends MemoryHostOptions {
  readonly workspace?: Readonly<Record<string, string | Uint8Array>>;
  readonly core?: Partial<AppOptions>;
  /** Tokens of the scripted model's window. */
  readonly contextWindow?: number;
}

/** Call it inside a test. */
export async function coreLab({
  workspace = {},
  core = {},
  contextWindow,
  ...options
}: CoreLabOptions = {}): Promise<CoreLab> {
  const folder = tempFolder(workspace);
  const storage = tempFolder();
  const host = memoryHost({ storage: storage.path, ...options });
  const requests: ModelRequest[] = [];
  const model = new ScriptedModel(
    (request) => requests.push({ ...request, messages: [...request.messages] }),
    contextWindow,
  );
  const models = new Map<string, Model>();
  const get = async (id: string) => ({ ok: true, value: models.get(id) ?? model }) as const;
  const app = await openApp(host, folder, model, { assumeSandbox: true, models: { get }, ...core });
  const session = app.createSession({ modelId: model.id });
  return {
    folder,
    storage,
    host,
    model,
    models,
    requests,
    app,
    session,
    turn(prompt, ...items) {
      model.play(items);
      return session.send(prompt);
    },
    results: () =>
      session.messages().flatMap((message) => (message.kind === 'result' ? [message.result] : [])),
    types: () => session.events().map(({ type }) => type),
  };
}

/** One more core on the same folder and storage: another window, or the same one after a reload. */
export async function openApp(
  host: MemoryHost,
  folder: TempFolder,
  model: ScriptedModel,
  more: Partial<AppOptions> = {},
): Promise<App> {
  const created = await createApp(host, {
    folder: folder.path,
    models: { get: async () => ({ ok: true, value: model }) },
    ...more,
  });
  if (!created.ok) throw new Error(`${created.error.title}: ${created.error.detail}`);
  const app = created.value;
  onTestFinished(async () => {
    await app.close();
    // A turn that another window took over may have a content left to keep: that comes before its folder is removed.
    await setImmediate();
  });
  return app;
}

/** A call as a scripted model makes it. */
export function call(id: string, name: string, input: unknown): NonNullable<ModelItem['calls']>[number] {
  return { id, name, input };
}
