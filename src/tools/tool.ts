import type { z } from 'zod';
import type { Result } from '#base/result';
import type { CommandRunner } from '#commands/command';
import type { Clock, Documents, Environment, FileProblem, Files } from '#host';
import type { Encodings } from '#host/encodings';
import type { Intelligence } from '#host/intelligence';
import type { CallId, RelativePath, Sha256, TurnId } from '#protocol/ids';
import type { Settings } from '#protocol/settings';
import type { Todo } from '#protocol/todo';
import type { Capability, Risk, Touch } from '#protocol/tool-call';
import type { Display, ToolResult } from '#protocol/tool-result';
import type { BackgroundCommands, BackgroundLook } from '#tools/commands/background';
import type { Workspace } from './paths';

/** Where a tool came from. Built-ins win a name, others are dropped when they collide. */
export type ToolOrigin =
  | { readonly kind: 'built-in' }
  | { readonly kind: 'session' }
  | { readonly kind: 'extension'; readonly id: string }
  /** `server` as it is written in the settings, `tool` as the server calls it: rules may name either. */
  | { readonly kind: 'mcp'; readonly server: string; readonly tool: string }
  | { readonly kind: 'plugin'; readonly id: string };

/**
 * One tool is one value of this type, in a file of its own.
 * A tool declares, gates decide: it never asks for permission and never knows who did.
 */
export interface ToolDefinition<Input = unknown> {
  /** At most 64 characters; ours `[a-z][a-z0-9_]*`, others' may have capitals and `-` and begin with `_`. */
  readonly name: string;
  /** For the model: what it does, when to use it, what it returns. */
  readonly description: string;
  readonly risk: Risk;
  /** Missing, unknown or ill-typed counts as all of them. */
  readonly capabilities: readonly Capability[];
  /** May run beside other reads of the same batch. */
  readonly concurrencySafe: boolean;
  readonly inputSchema: z.ZodType<Input>;
  /** Well-formed but not acceptable → a sentence for the model that says what to do instead. */
  validate?(input: Input, ports: ToolPorts): Promise<string | undefined>;
  /** What this very call would read, write, execute or reach. Paths are workspace-relative. */
  touches(input: Input, ports: ToolPorts): Promise<readonly Touch[]>;
  /** The one line a person reads before approving. */
  summarize(input: Input): string;
  /** What is unusual about this very call; a word here makes the gates ask a person in every mode but danger. */
  concerns?(input: Input, ports: ToolPorts): Promise<readonly string[]>;
  /** What would change, for the approval card; computed only when a person is asked. */
  preview?(input: Input, ports: ToolPorts): Promise<Display | undefined>;
  /** Throws for what it can't do: `ToolFailure` with words for the model, anything else is a bug. A string is a success. */
  execute(input: Input, context: ToolContext): Promise<ToolResult | string>;
  readonly origin: ToolOrigin;
  /** Its result is bounded by its own page, so it is never moved into an artifact. */
  readonly pages?: boolean;
  /** It waits for something: calling it over and over is no loop. */
  readonly waits?: boolean;
  readonly deferred?: boolean;
  readonly searchMetadata?: {
    readonly aliases?: readonly string[];
    readonly tags?: readonly string[];
    readonly searchHint?: string;
  };
}

/** What a tool may look at before it is allowed to act: nothing here changes anything. */
export interface ToolPorts {
  readonly workspace: Workspace;
  readonly files: Pick<Files, 'stat' | 'realPath' | 'list' | 'read'>;
  readonly documents: Documents;
  readonly encodings: Encodings;
  readonly intelligence: Intelligence;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly settings: Settings;
  /** What this session has shown the model, for read-before-edit. */
  readonly reads: ReadRecords;
  /** What runs beside the conversation; absent where nothing can. */
  readonly background?: BackgroundLook;
  /**
   * Whether the rules let this session read that file without asking. What a tool says before the gates have judged its call tells
   * nothing of the content of others. Without it the list of likely secrets in the settings decides.
   */
  mayRead?(path: RelativePath): boolean;
}

/** What a tool gets to act with. */
export interface ToolContext extends ToolPorts {
  /** Set by the pipeline alone. Whatever writes or executes calls `demandAuthorization` first. */
  readonly authorized: boolean;
  readonly callId: CallId;
  readonly turnId: TurnId;
  readonly signal: AbortSignal;
  /** The one writer: refuses a path this call wasn't allowed, journals, writes, records the hash. */
  readonly writer: Writer;
  /** Runs a command confined as the gates decided for this call. */
  readonly commands: CommandRunner;
  readonly background?: BackgroundCommands;
  readonly artifacts: Artifacts;
  readonly todos: Todos;
  /** Absent where no conversation is: nothing can be switched on then. */
  readonly deferred?: DeferredTools;
  /** Of this very call: what it named and was allowed to read counts too. Searches leave out the rest. */
  mayRead?(path: RelativePath): boolean;
  /** The last line of what is going on, for people. */
  onProgress(line: string): void;
}

/** The one writer. Paths are workspace-relative and must be among the call's write touches. */
export interface Writer {
  create(path: RelativePath, bytes: Uint8Array): Promise<Result<Written, FileProblem>>;
  replace(path: RelativePath, bytes: Uint8Array, expected: Sha256): Promise<Result<Written, FileProblem>>;
  rename(from: RelativePath, to: RelativePath, expected: Sha256): Promise<Result<Written, FileProblem>>;
  delete(path: RelativePath, expected: Sha256): Promise<Result<Written, FileProblem>>;
  /**
   * Changes a file that the call came upon while it ran, such as one whose imports follow a rename. Only where rules and mode let
   * this session change it without asking; else it is `denied`.
   */
  replaceFound(
    path: RelativePath,
    bytes: Uint8Array,
    expected: Sha256,
  ): Promise<Result<Written, FileProblem>>;
}

/** What a write came to. */
export interface Written {
  readonly via: 'disk' | 'editor' | 'in-place';
  /** On disk after the write; absent after a deletion. */
  readonly after?: { readonly sha256: Sha256; readonly bytes: number };
  readonly notes: readonly string[];
}

/** Per session: which content of which file the model has seen. */
export interface ReadRecords {
  /** Lines (1-based, inclusive) of a file with that content hash were shown; `total` is how many lines it has. */
  note(
    path: RelativePath,
    sha256: Sha256,
    shown: { readonly from: number; readonly to: number; readonly total: number },
  ): void;
  /** The agent wrote the file: all of this content counts as seen. */
  wrote(path: RelativePath, sha256: Sha256, total: number): void;
  /** The hash that was shown last and whether every line of it was; undefined when never shown. */
  seen(path: RelativePath): { readonly sha256: Sha256; readonly whole: boolean } | undefined;
  forget(path: RelativePath): void;
}

/** A part of an artifact. Offsets and sizes in bytes. */
export interface ArtifactPage {
  readonly text: string;
  /** Where the text begins: not in the middle of a character. */
  readonly start: number;
  /** Of the whole. */
  readonly bytes: number;
  /** Where the next page begins; undefined at the end. */
  readonly next: number | undefined;
}

/** The session's outputs that were too long for the conversation. */
export interface Artifacts {
  /** Keeps text outside the conversation. */
  put(content: string): Promise<{ readonly id: string; readonly bytes: number }>;
  /** A page of an artifact; undefined when there is none by that id in this session. */
  read(id: string, offset: number, maxBytes: number): Promise<ArtifactPage | undefined>;
  any(): boolean;
}

/** The tools of a session that are known by name only until they are switched on. */
export interface DeferredTools {
  /** All that mode, policy and view leave in this request, those that are switched on among them. */
  usable(): readonly ToolDefinition[];
  /** Whether this request shows a tool of that name to the model. */
  isShown(name: string): boolean;
  /** Shows them from the next request on. Beyond a bound the first ones switched on go off again: their names are answered. */
  activate(tools: readonly ToolDefinition[]): readonly string[];
}

/** The session's list of things to do. */
export interface Todos {
  list(): readonly Todo[];
  write(todos: readonly Todo[]): Promise<void>;
}

/** A failure in words for the model: begins with the tool, then the rule that was broken, then what to do. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly retryable: boolean;
  readonly code: 'tool_failed' | 'rejected_arguments';

  constructor(
    message: string,
    options: { readonly retryable?: boolean; readonly code?: 'tool_failed' | 'rejected_arguments' } = {},
  ) {
    super(message);
    this.retryable = options.retryable ?? false;
    this.code = options.code ?? 'tool_failed';
  }
}

/** Second authorisation: constructing a tool directly reaches no side effect. */
export function demandAuthorization(context: { readonly authorized: boolean }, tool: string): void {
  if (context.authorized !== true) throw new Error(`${tool}: refused, this call did not pass the gates`);
}
