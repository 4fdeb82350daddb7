import { z } from 'zod';
import type { ContributedPrompt, ContributedResources, Contribution } from '#agent/contribution';
import { Emitter } from '#base/emitter';
import type { ToolDefinition } from '#tools/tool';

/** What an addon brings, in the hands of a test: change its parts, then tell. */
export class TestContribution implements Contribution {
  readonly name: string;
  readonly #changes = new Emitter<void>();
  readonly onDidChange = this.#changes.event;
  list: readonly ToolDefinition[];
  promptList: readonly ContributedPrompt[] = [];
  resources?: ContributedResources;

  constructor(list: readonly ToolDefinition[] = [], name = 'the MCP server demo') {
    this.list = list;
    this.name = name;
  }

  tools(): readonly ToolDefinition[] {
    return this.list;
  }

  prompts(): readonly ContributedPrompt[] {
    return this.promptList;
  }

  /** The world has changed. */
  change(list: readonly ToolDefinition[] = this.list): void {
    this.list = list;
    this.#changes.emit();
  }

  dispose(): void {
    this.#changes.dispose();
  }
}

/** A harmless tool of the MCP server "demo", known by name only, that answers with its own name. */
export function deferredTool(name: string, change: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    name,
    description: `Does what ${name} does`,
    risk: 'read',
    capabilities: ['session.read'],
    concurrencySafe: true,
    deferred: true,
    inputSchema: z.strictObject({}),
    origin: { kind: 'mcp', server: 'demo', tool: name },
    touches: async () => [],
    summarize: () => `Use ${name}`,
    execute: async () => `answer of ${name}`,
    ...change,
  };
}
