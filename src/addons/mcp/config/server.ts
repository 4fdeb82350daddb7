import type { Sha256 } from '#protocol/ids';
import type { McpPlace } from '#protocol/mcp';

/** Where the person's own servers stand, as problems name it. */
export const SETTING = 'belay.mcp.servers';

/** One server as it is written down: nothing in it is replaced yet, so it is what the person accepts. */
export interface ServerConfig {
  /** As written; not a legal tool name yet. At most 200 characters, none of them a control character. */
  readonly name: string;
  readonly place: McpPlace;
  readonly transport: StdioConfig | HttpConfig;
  /** Milliseconds that a request may take. */
  readonly timeoutMs: number;
  /** Written down as switched off. */
  readonly disabled: boolean;
  /** Of `.vscode/mcp.json`: what `${input:id}` of this server asks for, and nothing else. */
  readonly inputs: readonly InputConfig[];
}

/** A server that is a program on this machine. */
export interface StdioConfig {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** `null` takes a variable out that the server would get otherwise. */
  readonly env: Readonly<Record<string, string | null>>;
  readonly cwd?: string;
  /** Its content belongs to what is accepted: it sets the environment. */
  readonly envFile?: string;
}

/** A server at an address. */
export interface HttpConfig {
  readonly kind: 'http';
  readonly url: string;
  /** `sse`: the older transport from the start; else it is tried where the newer one is refused. */
  readonly sse: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: OauthConfig;
}

/** How to sign in where the server doesn't tell. */
export interface OauthConfig {
  readonly clientId?: string;
  /** Separated by blanks. */
  readonly scopes?: string;
  readonly callbackPort?: number;
}

/** A value that the person is asked for, once. */
export interface InputConfig {
  readonly id: string;
  readonly description: string;
  readonly secret: boolean;
  readonly proposed?: string;
  readonly options?: readonly string[];
}

/** A file of `NAME=value` lines as a server names it. */
export type EnvFile =
  | {
      readonly kind: 'read';
      readonly sha256: Sha256;
      readonly variables: Readonly<Record<string, string>>;
    }
  /** The server can't be started; `why` is the end of a sentence for people. */
  | { readonly kind: 'unreadable'; readonly why: string };

/** A server and the content of the file of variables that it names, as both were read in the same look. */
export interface FoundServer {
  readonly config: ServerConfig;
  /** Undefined where it names none. */
  readonly envFile: EnvFile | undefined;
}

/** What of the files or settings can't be used, in words for the person who wrote them. */
export interface ConfigProblem {
  /** ".mcp.json", or `SETTING` for the person's settings. */
  readonly file: string;
  /** From 1; 0 in the settings. */
  readonly line: number;
  readonly message: string;
}
