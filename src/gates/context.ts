import type { ShellKind, Understanding } from '#commands/shell-words';
import type { HookRunner } from '#gates/hooks/runner';
import type { SessionRules } from '#gates/rules/session-rules';
import type { SettingsFiles } from '#gates/settings-files/settings-file';
import type { Log } from '#host';
import type { AnsweredBy, ApprovalAnswer, ApprovalRequest } from '#protocol/approval';
import type { AbsolutePath, ApprovalId, SessionId } from '#protocol/ids';
import type { Mode } from '#protocol/settings';
import type { Capability, GateLine, Risk, ToolCall, Touch } from '#protocol/tool-call';
import type { ToolResult } from '#protocol/tool-result';
import type { ToolDefinition, ToolPorts } from '#tools/tool';
import type { ToolTable, ToolView } from '#tools/toolbox';
import type { HookAnswer } from './circumstances';

/** What the gates need to know of the session they stand in. Nothing here changes the world but `ask`. */
export interface GateContext {
  readonly sessionId: SessionId;
  /** Every call of this step in order, the walking one included: the same call twice is refused. */
  readonly batch: readonly ToolCall[];
  readonly table: ToolTable;
  /** What this request showed to the model. */
  readonly view: ToolView;
  readonly ports: ToolPorts;
  /** As chosen and as the policy leaves it, now and not when the step began: a person may switch while a question is open. `effectiveMode` minds the trust. */
  mode(): Mode;
  isTrusted(): boolean;
  /** Answers given in this session; *allow for this session* adds to them. */
  readonly sessionRules: SessionRules;
  /** The policy's, the user's and the project's files. */
  readonly settingsFiles: SettingsFiles;
  readonly sandbox: SandboxState;
  /** Why this very command failed in the sandbox the last time, where the sandbox explains it. */
  failedInside?(command: string, cwd: string): string | undefined;
  /** The shell whose grammar judges commands; it must be the one that runs them. */
  readonly shell: ShellKind;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Runs the person's hooks; absent where there are none. */
  readonly hooks?: HookRunner;
  newApprovalId(): ApprovalId;
  /** Asks a person; records question and answer. Rejects when the signal aborts. */
  ask(request: ApprovalRequest): Promise<{ readonly answer: ApprovalAnswer; readonly by: AnsweredBy }>;
}

/** Whether commands would be confined, in words for people: "sandboxed by bubblewrap", or why not and what to do. */
export interface SandboxState {
  readonly active: boolean;
  readonly words: string;
  /** Without the network some hosts are reached nevertheless. */
  readonly reach?: 'hosts';
  /** Commands can't write to it. */
  readonly workspace?: 'read-only';
}

/** One gate. The list in pipeline.ts is their order; a stage knows nothing of its neighbours. */
export interface Stage {
  readonly name: string;
  /** A promise where it has to look at something; a verdict at once costs a call nothing. */
  judge(draft: Draft, context: GateContext): Promise<Verdict> | Verdict;
}

/** What one stage says: go on (with what it found out), or the call ends here. `why` is for people. */
export type Verdict =
  | { readonly kind: 'pass'; readonly why: string; readonly asked?: boolean; readonly found?: Partial<Draft> }
  /**
   * The call got another input: it is judged from `parse` on. A person's `answer` holds for exactly that input, and hooks see it
   * anew; what `hooks` said of their own input is kept, they don't run a second time.
   */
  | {
      readonly kind: 'again';
      readonly why: string;
      readonly rawInput: string;
      readonly by: { readonly answer: EditedAnswer } | { readonly hooks: HooksSaid };
    }
  | {
      readonly kind: 'stop';
      readonly why: string;
      readonly by?: GateLine['by'];
      readonly result: ToolResult;
      readonly endsTurn?: boolean;
    };

/** What a person said of an input that they edited. */
export interface EditedAnswer {
  readonly inputSha256: string;
  readonly why: string;
  readonly feedback: string;
}

/** What the PreToolUse hooks said of a call that they didn't deny. */
export interface HooksSaid {
  readonly answer?: HookAnswer;
}

/** A call on its way, with what the stages found out so far. */
export interface Draft {
  readonly call: ToolCall;
  readonly tool?: ToolDefinition;
  /** The arguments as JSON, before the schema. */
  readonly json?: { readonly value: unknown };
  /** The arguments as the schema parsed them. */
  readonly input?: { readonly value: unknown };
  /** The one line a person reads. */
  readonly summary?: string;
  readonly risk?: Risk;
  readonly capabilities?: readonly Capability[];
  readonly touches?: readonly Touch[];
  /** Command line → what it says. */
  readonly readings?: ReadonlyMap<string, Understanding>;
  readonly grant?: Grant;
  readonly confinement?: Confinement;
  /** The call is walking a second time, with the input that a person gave it. */
  readonly edited?: EditedAnswer;
  readonly hooks?: HooksSaid;
}

/** What the permission gate allowed, and where the touched paths really were at that moment. */
export interface Grant {
  readonly mode: Mode;
  readonly network: boolean;
  /** Every command of the call only reads, and went unasked because of that: it is held to it. */
  readonly readsOnly?: boolean;
  /** A person lets it run without the sandbox, this once. */
  readonly withoutSandbox?: true;
  /** Touched path → real path; the writer checks that it still leads there. */
  readonly places: ReadonlyMap<string, AbsolutePath>;
  /** What the person who allowed it said to the model. */
  readonly feedback?: string;
}

/** How a command of this call is held. */
export interface Confinement {
  readonly sandboxed: boolean;
  readonly network: boolean;
  /** `writable` where absent. */
  readonly workspace?: 'writable' | 'read-only';
  /** A person let this one command run without the sandbox. */
  readonly once?: true;
  readonly words: string;
}

/** A call that passed every gate: the only thing that is ever performed. */
export interface PassedCall {
  readonly kind: 'passed';
  readonly call: ToolCall;
  readonly tool: ToolDefinition;
  readonly input: unknown;
  readonly risk: Risk;
  readonly capabilities: readonly Capability[];
  readonly touches: readonly Touch[];
  readonly grant: Grant;
  readonly confinement: Confinement;
  readonly summary: string;
  readonly trace: readonly GateLine[];
}

/** A call that a gate ended; `result` goes to the model. */
export interface StoppedCall {
  readonly kind: 'stopped';
  readonly call: ToolCall;
  readonly result: ToolResult;
  /** A person said no without a word: the turn ends after this batch. */
  readonly endsTurn: boolean;
  readonly summary: string;
  readonly trace: readonly GateLine[];
}

export type GateOutcome = PassedCall | StoppedCall;

/** What an earlier stage must have found. Without it a gate can't judge, and a gate that can't judge refuses. */
export function known<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`${what} is not known at this gate`);
  return value;
}
