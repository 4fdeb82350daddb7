/** The tools that the editor's other extensions offer. Whatever stands in them is theirs: nothing of it is trusted. */
export interface ExtensionTools {
  /** As they are now; the same objects as long as nothing changed. Cheap. */
  list(): readonly ExtensionTool[];
}

/** One tool of somebody else. */
export interface ExtensionTool {
  /** As rules, hooks and the model call it; fixed by who offers it, never by which others there are. */
  readonly name: string;
  /** For people: "acme.jira", or what is known where no extension owns it. */
  readonly owner: string;
  readonly description: string;
  /** JSON Schema, as it came; absent where the tool takes nothing. */
  readonly inputSchema: unknown;
  readonly aliases: readonly string[];
  readonly tags: readonly string[];
  readonly searchHint?: string;
  /** What it says of itself; absent where it had no way to say anything. */
  readonly declared?: DeclaredTool;
  /** Milliseconds that a call may take. */
  readonly timeLimit: number;
  /** Resolves with whatever the tool gives. May never end, may throw. */
  invoke(input: unknown, call: ExtensionCall): Promise<unknown>;
}

/** As an author wrote it: types are promises here, not facts. */
export interface DeclaredTool {
  readonly risk?: unknown;
  readonly capabilities?: unknown;
  readonly concurrencySafe: boolean;
  touches?(input: unknown): unknown;
  summarize?(input: unknown): unknown;
}

/** What a running call has of us. */
export interface ExtensionCall {
  readonly signal: AbortSignal;
  onProgress(line: string): void;
}
