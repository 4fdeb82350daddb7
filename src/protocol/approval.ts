import * as z from 'zod';
import type { ApprovalId, CallId, SessionId } from './ids';
import type { Risk, Touch } from './tool-call';
import type { Display } from './tool-result';

/** What a person is asked about one call. Bound to `inputSha256`: an answer holds for exactly that input, once. */
export interface ApprovalRequest {
  readonly id: ApprovalId;
  readonly sessionId: SessionId;
  readonly callId: CallId;
  readonly inputSha256: string;
  readonly tool: string;
  /** The one line a person reads: the exact command, or "Edit src/a.ts". */
  readonly summary: string;
  /** What rules match on: the command line or the path. */
  readonly subject: string;
  readonly description?: string;
  readonly risk: Risk;
  readonly touches: readonly Touch[];
  /** Words about what is unusual: "writes to .vscode/tasks.json, which can make the editor run code". */
  readonly concerns: readonly string[];
  /** The rule that *allow for this session* would add; absent where no rule can allow it. */
  readonly suggestedRule?: string;
  /** Other rules to choose from, narrow to wide. */
  readonly ruleChoices: readonly string[];
  /** "sandboxed" or why not. */
  readonly sandbox: {
    readonly active: boolean;
    readonly words: string;
    /** Without the network some hosts are reached nevertheless. */
    readonly reach?: 'hosts';
    /** Commands can't write to it. */
    readonly workspace?: 'read-only';
  };
  readonly network: boolean;
  /** This command may be run once without the sandbox; why that is offered. Never by a rule, a session answer or a notification. */
  readonly withoutSandbox?: { readonly why: string };
  /** What would change, where it is known before it happens. */
  readonly preview?: Display;
}

/** This once, or for the session. */
export const ANSWERS = ['allow-once', 'allow-session', 'deny-once', 'deny-session'] as const;

/** What a person says to a question. */
export const answerSchema = z.object({
  answer: z.enum(ANSWERS),
  /** With allow-session or deny-session: the rule as the person left it. */
  rule: z.string().max(4000).optional(),
  /** Words to the model. */
  feedback: z.string().max(10_000).optional(),
  /** With an allow: the fields of the input that the person edited; with them it passes every gate anew before it runs. */
  input: z.record(z.string(), z.unknown()).optional(),
  /** With allow-once from the panel, where it was offered: this command runs without the sandbox, this once. */
  withoutSandbox: z.literal(true).optional(),
});
/** A parsed answer. */
export type ApprovalAnswer = Readonly<z.infer<typeof answerSchema>>;

/** Where an answer came from; `nobody` when a prompter denies because no one can be asked. */
export type AnsweredBy = 'panel' | 'notification' | 'command' | 'script' | 'nobody' | 'cancelled';
