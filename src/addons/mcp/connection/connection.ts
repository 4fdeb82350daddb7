import type { ResolvedServer } from '#addons/mcp/config/resolve';
import type { Result } from '#base/result';
import type { Watchdog } from '#commands/watchdog';
import type { Clock } from '#host';
import type { Questions } from '#host/questions';
import type { SignInAgent } from './sign-in-agent';

/** What a connection may ask of its surroundings, and whom it tells. */
export interface ConnectionPorts {
  /** As people know it. */
  readonly server: string;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** The open folder: what a server hears when it asks for roots. */
  readonly root: string;
  readonly questions: Questions | undefined;
  readonly signIn: SignInAgent | undefined;
  /** Unique among all that runs: its processes are told by it. */
  readonly marker: string;
  readonly watchdog: Watchdog;
  log(line: string): void;
  /** Lists changed; called in bursts. */
  changed(what: 'tools' | 'prompts' | 'resources'): void;
}

/** Why there is no connection. `sign-in`: the person has to sign in first. `hopeless`: trying again changes nothing. */
export interface ConnectProblem {
  readonly kind: 'failed' | 'sign-in' | 'hopeless';
  /** For people, a whole sentence. */
  readonly words: string;
}

/** One request to a server. */
export interface CallOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  onProgress?(line: string): void;
}

/** Why a request has no answer. `lost`: the connection ended; `unknown-session`: it surely wasn't carried out. */
export interface CallProblem {
  readonly kind: 'refused' | 'timed-out' | 'lost' | 'unknown-session';
  readonly words: string;
}

/** A server that was greeted and answers. What it says is unparsed: nobody has judged it yet. */
export interface Connection {
  /** Fulfilled when it is over. */
  readonly closed: Promise<ConnectProblem>;
  /** The same, for who mustn't wait. */
  readonly isOver: boolean;
  readonly about: { readonly name: string; readonly version: string; readonly protocol: string };
  readonly has: { readonly tools: boolean; readonly prompts: boolean; readonly resources: boolean };
  tools(signal: AbortSignal): Promise<Result<readonly unknown[], string>>;
  prompts(signal: AbortSignal): Promise<Result<readonly unknown[], string>>;
  resources(signal: AbortSignal): Promise<Result<readonly unknown[], string>>;
  resourceTemplates(signal: AbortSignal): Promise<Result<readonly unknown[], string>>;
  callTool(name: string, input: unknown, options: CallOptions): Promise<Result<unknown, CallProblem>>;
  getPrompt(
    name: string,
    values: Readonly<Record<string, string>>,
    options: CallOptions,
  ): Promise<Result<unknown, CallProblem>>;
  readResource(uri: string, options: CallOptions): Promise<Result<unknown, CallProblem>>;
  close(): Promise<void>;
}

/** Opens connections; the only thing that loads the SDK. */
export type Connect = (
  target: ResolvedServer,
  ports: ConnectionPorts,
  signal: AbortSignal,
) => Promise<Result<Connection, ConnectProblem>>;
