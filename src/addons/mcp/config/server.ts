import type { McpPlace } from '#protocol/mcp';

/** One server as it is written down: nothing in it is replaced yet, so it is what the person accepts. */
export interface ServerConfig {
  /** As written; not a legal tool name yet. */
  readonly name: string;
  readonly place: McpPlace;
  readonly transport: StdioConfig | HttpConfig;
  /** Milliseconds that a request may take. */
  readonly timeoutMs: number;
  /** Written down as switched off. */
  readonly disabled: boolean;
  /** Of `.vscode/mcp.json`: what `${input:id}` asks for. */
  readonly inputs: readonly InputConfig[];
}

export interface StdioConfig {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Its content belongs to what is accepted: it sets the environment. */
  readonly envFile?: string;
}

export interface HttpConfig {
  readonly kind: 'http';
  readonly url: string;
  /** `sse`: the older transport from the start; else it is tried where the newer one is refused. */
  readonly sse: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: { readonly clientId?: string; readonly scopes?: string };
}

export interface InputConfig {
  readonly id: string;
  readonly description: string;
  readonly secret: boolean;
  readonly proposed?: string;
  readonly options?: readonly string[];
}
