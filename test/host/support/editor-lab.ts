import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { type App, createApp } from '#app';
import { editorIntelligence } from '#editor/intelligence';
import type { ConfiguredServers } from '#editor/language/served';
import { ScriptedModel } from '#headless/scripted-model';
import type { ModelItem } from '#protocol/scenario';
import type { Settings } from '#protocol/settings';
import type { ToolResult } from '#protocol/tool-result';
import { type EditorWorld, editorWorld, SILENT } from '#test/host/support/editor-world';
import { plainHost } from '#test/host/support/plain-host';

/** The real core on the editor's ports, in a folder of its own inside the open workspace, with a scripted model. */
export interface EditorLab extends EditorWorld {
  /** Runs a turn of these calls, one after the other, and gives their results. */
  turn(...calls: readonly (readonly [name: string, input: unknown])[]): Promise<readonly ToolResult[]>;
  /** The core's session and the core, for what a turn can't do. */
  readonly app: App;
  readonly sessionId: string;
}

export interface EditorLabOptions {
  /** Ask the language servers of the editor. */
  readonly intelligent?: boolean;
  /** And these, which a person has set up. */
  readonly languageServers?: ConfiguredServers;
  readonly permissions?: Settings['permissions'];
}

export async function editorLab(options: EditorLabOptions = {}): Promise<EditorLab> {
  const world = editorWorld();
  const storage = mkdtempSync(path.join(tmpdir(), 'belay-editor-lab-'));
  const { files, documents, encodings } = world;
  const configured = options.languageServers;
  const host = plainHost(storage, {
    ...{ files, documents, encodings },
    ...(options.intelligent
      ? { intelligence: editorIntelligence(SILENT, { documents, ...(configured ? { configured } : {}) }) }
      : {}),
    // Without a sandbox every command asks.
    prompter: { ask: async () => ({ answer: { answer: 'allow-once' }, by: 'script' }) },
    set: {
      ...{ mode: 'allow', sandbox: 'off', problemsWaitMs: options.intelligent ? 10_000 : 1500 },
      ...(options.permissions ? { permissions: options.permissions } : {}),
    },
  });
  const model = new ScriptedModel();
  const created = await createApp(host, {
    folder: world.folder,
    models: { get: async () => ({ ok: true, value: model }) },
  });
  if (!created.ok) throw new Error(created.error.detail);
  const app = created.value;
  const session = app.createSession({ modelId: model.id });
  return {
    ...world,
    app,
    sessionId: session.id,
    async turn(...calls) {
      const before = session.messages().length;
      const items = calls.map(
        ([name, input], index): ModelItem => ({
          calls: [{ id: `call-${index}`, name, input }],
        }),
      );
      model.play([...items, { text: 'done' }]);
      await session.send('work', []);
      return session
        .messages()
        .slice(before)
        .flatMap((message) => (message.kind === 'result' ? [message.result] : []));
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await world[Symbol.asyncDispose]();
      rmSync(storage, { recursive: true, force: true });
    },
  };
}

/** Changes a setting of the person's for the length of a test. */
export async function withSetting(
  section: string,
  name: string,
  value: unknown,
  languageId?: string,
): Promise<AsyncDisposable> {
  const update = (to: unknown) =>
    vscode.workspace
      .getConfiguration(section, languageId === undefined ? undefined : { languageId })
      .update(name, to, vscode.ConfigurationTarget.Global, languageId !== undefined);
  await update(value);
  return { [Symbol.asyncDispose]: async () => update(undefined) };
}
