import * as vscode from 'vscode';
import type { Disposable } from '#base/disposable';
import { messageOf } from '#base/result';
import type { ExtensionCall, ExtensionTool } from '#host/extension-tools';
import { resultOfParts } from './lm-result';
import { ownersOf } from './owners';
import { editorName } from './tool-name';

/** Milliseconds: a tool may ask the person something of its own before it works. */
const TIME_LIMIT = 600_000;
/** For people, where no extension's manifest names a tool. */
const NOBODY = 'the editor';

/** Those of `vscode.lm.tools` that are offered to the agent. The editor has no event for changes: each look compares. */
export class LmTools implements Disposable {
  readonly #own: string;
  readonly #extensions: vscode.Disposable;
  readonly #made = new WeakMap<vscode.LanguageModelToolInformation, Map<string, ExtensionTool>>();
  #ownerOf: ReturnType<typeof ownersOf> | undefined;

  /** `own`: our extension's id, whose tools aren't handed back to it. */
  constructor(own: string) {
    this.#own = own;
    const forget = () => {
      this.#ownerOf = undefined;
    };
    this.#extensions = vscode.Disposable.from(
      vscode.extensions.onDidChange(forget),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('belay.extensionTools')) forget();
      }),
    );
  }

  list(): readonly ExtensionTool[] {
    const settings = vscode.workspace.getConfiguration('belay.extensionTools');
    if (settings.get('enabled') !== true) return [];
    this.#ownerOf ??= ownersOf(vscode.extensions.all, this.#own, namesIn(settings.get('allow')));
    const ownerOf = this.#ownerOf;
    return vscode.lm.tools.flatMap((tool) => {
      const owner = ownerOf(tool);
      return owner.kind === 'offered' ? [this.#of(tool, owner.id || NOBODY)] : [];
    });
  }

  dispose(): void {
    this.#extensions.dispose();
  }

  /** The editor hands out the same object until a tool changes. */
  #of(tool: vscode.LanguageModelToolInformation, owner: string): ExtensionTool {
    const known = this.#made.get(tool) ?? new Map<string, ExtensionTool>();
    this.#made.set(tool, known);
    const made = known.get(owner) ?? extensionTool(tool, owner);
    known.set(owner, made);
    return made;
  }
}

function extensionTool(tool: vscode.LanguageModelToolInformation, owner: string): ExtensionTool {
  const { name, description, inputSchema, tags } = tool;
  return {
    name: editorName(name),
    owner,
    description,
    inputSchema,
    aliases: [name],
    tags: [...tags],
    timeLimit: TIME_LIMIT,
    invoke: (input, call) => invoke(name, input, call),
  };
}

async function invoke(name: string, input: unknown, { signal }: ExtensionCall): Promise<unknown> {
  const cancel = new vscode.CancellationTokenSource();
  const onAbort = () => cancel.cancel();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const options = { input: input as object, toolInvocationToken: undefined };
    const { content } = await vscode.lm.invokeTool(name, options, cancel.token);
    return resultOfParts(content);
  } catch (error) {
    if (signal.aborted || messageOf(error) !== 'Canceled') throw error;
    throw new Error('it was cancelled, by the person in a question of its own or by itself', {
      cause: error,
    });
  } finally {
    signal.removeEventListener('abort', onAbort);
    cancel.dispose();
  }
}

function namesIn(setting: unknown): readonly string[] {
  return Array.isArray(setting) ? setting.filter((name) => typeof name === 'string') : [];
}
