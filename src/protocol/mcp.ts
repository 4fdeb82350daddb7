/** Where a server was written down: the person's own settings, or a file of the open folder. */
export type McpPlace =
  | { readonly kind: 'user' }
  /** `file` relative to the folder: ".mcp.json"; `line` from 1. */
  | { readonly kind: 'project'; readonly file: string; readonly line: number };

/**
 * What a server is doing. `unasked`: the person has not yet accepted exactly this command, these args, this environment or this URL;
 * `rejected`: they said no to it. `untrusted`: the folder isn't trusted, so nothing starts. `forbidden`: by the policy. `waiting`: it
 * ended by itself and is started again after a pause. `sign-in`: it wants the person to sign in.
 */
export type McpState =
  | 'unasked'
  | 'rejected'
  | 'untrusted'
  | 'forbidden'
  | 'off'
  | 'stopped'
  | 'starting'
  | 'ready'
  | 'sign-in'
  | 'waiting'
  | 'failed';

/** One tool of a server. */
export interface McpToolRow {
  /** As the model sees it: `mcp__server__tool`, legal and unique. */
  readonly name: string;
  /** As the server named it; shown with what is invisible revealed. */
  readonly original: string;
  readonly description: string;
  /** `changed`: it is not what was accepted, so it is left out until the person accepts it. `broken`: no model can be told of it. */
  readonly state: 'on' | 'off' | 'changed' | 'broken';
  /** For people, with `changed` and `broken`. */
  readonly why?: string;
}

/** One server as the view shows it. */
export interface McpServerRow {
  /** Unique among the servers of a folder, as the person wrote it. */
  readonly name: string;
  readonly place: McpPlace;
  /** The command line or the URL, in one line, without values of its environment. */
  readonly target: string;
  readonly state: McpState;
  /** What is the matter and what to do; empty when nothing is. */
  readonly detail: string;
  readonly tools: readonly McpToolRow[];
  readonly prompts: number;
  readonly resources: number;
}

/**
 * What a server waits for: the person's word on exactly this content. `sha256` binds the answer. Texts are JSON, one value a line, made
 * to be read beside each other; what is invisible is in escapes.
 */
export interface McpQuestion {
  readonly server: string;
  /** `server`: command, args, environment, URL. `tools`: names, descriptions and schemas of its tools. */
  readonly about: 'server' | 'tools';
  readonly sha256: string;
  /** What was accepted last; undefined when nothing was. */
  readonly before: string | undefined;
  readonly after: string;
}
