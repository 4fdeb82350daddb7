import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { Approvals } from '#editor/approvals';
import { EditorCore } from '#editor/core';
import { toolRegistry } from '#editor/extensions/api';
import type { ToolRegistry } from '#editor/extensions/registry';
import { type EditorLog, redactedChannel } from '#editor/log';

/** A core of its own for a test: on the folder that is open, with storage that nobody else has. */
export interface WindowCore extends AsyncDisposable {
  readonly core: EditorCore;
  readonly approvals: Approvals;
  readonly context: vscode.ExtensionContext;
  readonly log: EditorLog;
  /** Where other extensions register tools with this core. */
  readonly registry: ToolRegistry;
}

export function windowCore(): WindowCore {
  const storage = mkdtempSync(path.join(tmpdir(), 'belay-core-'));
  const extension = vscode.extensions.getExtension('belay.belay');
  if (!extension) throw new Error('the extension is not installed');
  const context = {
    extension,
    subscriptions: [],
    globalState: memento(),
    workspaceState: memento(),
    secrets: {
      keys: async () => [],
      get: async () => undefined,
      store: async () => undefined,
      delete: async () => undefined,
      onDidChange: new vscode.EventEmitter<vscode.SecretStorageChangeEvent>().event,
    },
    globalStorageUri: vscode.Uri.file(storage),
    extensionUri: extension.extensionUri,
    asAbsolutePath: (name: string) => path.join(extension.extensionPath, name),
  } as unknown as vscode.ExtensionContext;
  const log = redactedChannel(vscode.window.createOutputChannel(path.basename(storage), { log: true }));
  const approvals = new Approvals();
  const registry = toolRegistry(extension.id, log);
  const core = new EditorCore(context, log, { approvals, registry });
  return {
    core,
    approvals,
    context,
    log,
    registry,
    async [Symbol.asyncDispose]() {
      await core.close();
      log.dispose();
      rmSync(storage, { recursive: true, force: true });
    },
  };
}

function memento(): vscode.Memento & { setKeysForSync(keys: readonly string[]): void } {
  const kept = new Map<string, unknown>();
  return {
    keys: () => [...kept.keys()],
    get: <T>(key: string, fallback?: T) => (kept.has(key) ? kept.get(key) : fallback) as T,
    update: async (key: string, value: unknown) => void kept.set(key, value),
    setKeysForSync: () => undefined,
  };
}
