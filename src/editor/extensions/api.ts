import * as vscode from 'vscode';
import { ToolRegistry } from './registry';

/** What `activate()` answers: api/index.d.ts has it in the words of its users. */
export interface ExtensionApi {
  readonly version: 1;
  registerTool(tool: unknown): { readonly name: string; dispose(): void };
}

/** The registry of this window. Which extension calls can't be known for certain: the id that it gives must be one that is installed. */
export function toolRegistry(own: string, log: Pick<vscode.LogOutputChannel, 'warn'>): ToolRegistry {
  return new ToolRegistry({
    own,
    extensionId: (id) => vscode.extensions.getExtension(id)?.id,
    warn: (message) => log.warn(message),
  });
}

/** Others can't change it for each other. */
export function extensionApi(registry: ToolRegistry): ExtensionApi {
  return Object.freeze({ version: 1, registerTool: (tool: unknown) => registry.register(tool) });
}
