/**
 * What other extensions may give to Belay. docs/extending.md tells the whole; docs/examples/word-count is an extension that does it.
 *
 *     const belay = await vscode.extensions.getExtension<BelayApi>('belay.belay')?.activate();
 *     if (belay?.version === 1) context.subscriptions.push(belay.registerTool({ … }));
 */

/** What `activate()` of the extension `belay.belay` answers. */
export interface BelayApi {
  /** A change that could break a caller makes it 2. */
  readonly version: 1;
  /**
   * Offers a tool to the agent, from its next request on. What is wrong with the definition is thrown at once, in words for you.
   * What you hand in is read once: changing the object later changes nothing.
   */
  registerTool(tool: BelayTool): Registration;
}

/** A tool as you describe it. Its schema is plain JSON Schema; zod's `z.toJSONSchema()` makes one. */
export interface BelayTool {
  /** Your extension's id, `publisher.name`: `context.extension.id`. */
  readonly extension: string;
  /** `[a-z][a-z0-9_]*`, at most 40 characters. The agent knows it as `ext__publisher_name__` and this. */
  readonly name: string;
  /** For the model: what it does, when to use it, what it returns. The first 4000 characters are shown. */
  readonly description: string;
  /**
   * JSON Schema of an object, at most 64 KB. Calls whose input doesn't fit never reach you. Where it says nothing of other
   * fields (`additionalProperties`), there are none. Absent: no input.
   */
  readonly inputSchema?: object;
  /** What a call may cost. `read` is believed only with `capabilities` that allow it; all else counts as `execute`. */
  readonly risk?: Risk;
  /** What the tool can touch. Missing, misspelt or not listed here: everything. */
  readonly capabilities?: readonly Capability[];
  /** May run beside other reads of the same step. */
  readonly concurrencySafe?: boolean;
  /** Words that `search_tools` finds it by. */
  readonly searchMetadata?: SearchMetadata;
  /** Milliseconds that a call may take: 1000 to 3600000; 300000 when absent. */
  readonly timeoutMs?: number;
  /**
   * What this very call would touch, for rules that guard files and hosts, and for the person who is asked. Answer within 5 s; at most
   * 100. A tool that reads files and has no `touches` counts as one that can do everything.
   */
  touches?(input: unknown): readonly Touch[] | Promise<readonly Touch[]>;
  /** One line for the person who is asked; stands behind your extension's id, and beside the whole input. */
  summarize?(input: unknown): string;
  /**
   * Runs only when every gate has let it pass. A string or any JSON value is a success; throw to fail, with a message for the model; or
   * answer a `ToolResult`. Secrets that Belay knows are taken out of it; beyond 50 KB the model pages through it.
   */
  execute(input: unknown, call: ToolCall): unknown;
}

/** What a running call has of Belay. */
export interface ToolCall {
  /** Aborts when the person stops the turn or the time is over: stop then. */
  readonly signal: AbortSignal;
  /** The last line of what is going on, for the person. */
  onProgress(line: string): void;
}

/** A tool that is offered. */
export interface Registration {
  /** What rules, hooks and the model call it. */
  readonly name: string;
  /** Takes it back: from the next request on it is not there, and a call that waits for an answer will not run. */
  dispose(): void;
}

/** From harmless to unbounded. */
export type Risk = 'read' | 'workspace-write' | 'execute';

/** What a tool of an extension can touch. */
export type Capability =
  | 'filesystem.read'
  | 'filesystem.write'
  | 'process.execute'
  | 'network'
  | 'credentials'
  | 'external.side-effect';

/** Paths are relative to the workspace folder, or absolute. */
export type Touch =
  | { readonly kind: 'read'; readonly path: string }
  | {
      readonly kind: 'write';
      readonly path: string;
      /** `modify` when absent. */
      readonly operation?: 'create' | 'modify' | 'delete' | 'rename';
    }
  | { readonly kind: 'reach'; readonly host: string };

/** Words by which `search_tools` finds a tool besides its name and description. */
export interface SearchMetadata {
  readonly aliases?: readonly string[];
  readonly tags?: readonly string[];
  readonly searchHint?: string;
}

/** A result that says more than a value can. */
export interface ToolResult {
  readonly version: 1;
  readonly status: 'success' | 'error';
  /** Trying again is safe. */
  readonly retryable?: boolean;
  /** For the model. */
  readonly content: string;
  /** At most 8, for models that see. Base64 of at most 3.75 MB each. */
  readonly images?: readonly {
    readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
    readonly data: string;
  }[];
}
