import { z } from 'zod';
import { ANSWERS } from './approval';
import { CONFLICT_CHOICES, ON_CONFLICT, RESTORE_SCOPES } from './checkpoint';
import { MODES, settingsSchema } from './settings';

/**
 * A scenario file: a workspace, what a scripted model answers, what people do meanwhile.
 * Unknown keys are refused, so that a misspelt one never passes for a test.
 */

const mode = z
  .string()
  .regex(/^[0-7]{3,4}$/, 'octal digits, like "755"')
  .optional();

const fileSpecSchema = z.union([
  z.string(),
  z.strictObject({ text: z.string(), mode }),
  z.strictObject({ base64: z.base64(), mode }),
  z.strictObject({ symlink: z.string().min(1) }),
  z.strictObject({ fifo: z.literal(true) }),
  z.strictObject({ dir: z.literal(true), mode }),
]);
export type FileSpec = Readonly<z.infer<typeof fileSpecSchema>>;

const filesSchema = z.record(z.string().min(1), fileSpecSchema);
/** What someone does by hand; `null` takes the file away. */
const handSchema = z.record(z.string().min(1), fileSpecSchema.nullable());
export type HandWork = Readonly<z.infer<typeof handSchema>>;

/** Events that a `during` or `cancelAfter` may wait for. */
const MOMENTS = [
  'turn.started',
  'message.queued',
  'message.delivered',
  'model.requested',
  'model.retrying',
  'model.completed',
  'rules.loaded',
  'conversation.compacting',
  'conversation.compacted',
  'tool.requested',
  'tool.gated',
  'approval.requested',
  'approval.answered',
  'tool.started',
  'tool.completed',
  'todos.changed',
  'checkpoint.sealed',
] as const;

const momentShape = { after: z.enum(MOMENTS), call: z.string().optional() };
const restartSchema = z.literal('kill');

const duringSchema = z
  .strictObject({
    ...momentShape,
    write: handSchema.optional(),
    queue: z.string().min(1).optional(),
    restart: restartSchema.optional(),
  })
  .refine((item) => item.write ?? item.queue ?? item.restart, 'needs one of write, queue, restart');

const callSchema = z
  .strictObject({
    id: z.string().min(1),
    name: z.string(),
    input: z.unknown().optional(),
    rawInput: z.string().optional(),
  })
  .refine((call) => !('input' in call && call.rawInput !== undefined), 'has input or rawInput, not both');

const modelItemSchema = z.strictObject({
  text: z.string().optional(),
  reasoning: z.string().optional(),
  calls: z.array(callSchema).optional(),
  /** The provider fails instead of answering; `retryAfter` in seconds. */
  error: z
    .strictObject({
      status: z.number().int(),
      retryAfter: z.number().nonnegative().optional(),
      message: z.string().optional(),
    })
    .optional(),
  /** The output limit cut the reply: in its last call when it has calls. */
  cut: z.boolean().optional(),
  /** Tokens as the provider counts them. */
  usage: z
    .strictObject({ inputTokens: z.number().optional(), outputTokens: z.number().optional() })
    .transform(({ inputTokens, outputTokens }) => ({
      ...(inputTokens === undefined ? {} : { inputTokens }),
      ...(outputTokens === undefined ? {} : { outputTokens }),
    }))
    .optional(),
});
export type ModelItem = Readonly<z.infer<typeof modelItemSchema>>;

const answerSchema = z.union([
  z.enum(ANSWERS),
  z.strictObject({
    answer: z.enum(ANSWERS),
    rule: z.string().optional(),
    feedback: z.string().optional(),
    /** The input as the person edited it. */
    input: z.record(z.string(), z.unknown()).optional(),
  }),
]);
export type ScriptedAnswer = Readonly<z.infer<typeof answerSchema>>;

const promptStepSchema = z.strictObject({
  prompt: z.string(),
  /** Files that the person attaches. */
  mentions: z.array(z.string()).optional(),
  model: z.array(modelItemSchema).default([]),
  answers: z.array(answerSchema).default([]),
  during: z.array(duringSchema).default([]),
  cancelAfter: z.strictObject(momentShape).optional(),
});
export type PromptStep = Readonly<z.infer<typeof promptStepSchema>>;

const STEPS = {
  prompt: promptStepSchema,
  undo: z.strictObject({
    undo: z.strictObject({
      turn: z.number().int().positive(),
      scope: z.enum(RESTORE_SCOPES),
      onConflict: z.enum(ON_CONFLICT).default('stop'),
      /** What to do about single files. */
      choices: z.record(z.string(), z.enum(CONFLICT_CHOICES)).optional(),
      /** Only this turn, not those after it. */
      only: z.boolean().optional(),
      /** Up to this turn, not those after it. */
      last: z.number().int().positive().optional(),
      /** These files only. */
      paths: z.array(z.string()).optional(),
    }),
  }),
  redo: z.strictObject({ redo: z.strictObject({}) }),
  write: z.strictObject({ write: handSchema }),
  restart: z.strictObject({ restart: restartSchema }),
  mode: z.strictObject({ mode: z.enum(MODES) }),
  /**
   * The session is forked before that turn, without one after its last; the steps that follow run in the fork, and what is reported
   * at the end (events, checkpoints) is the fork's. `session` goes back to one that was left: 1 is the first, 2 the first fork.
   */
  fork: z.strictObject({ fork: z.strictObject({ turn: z.number().int().positive().optional() }) }),
  session: z.strictObject({ session: z.number().int().positive() }),
} as const;

export type Step = {
  readonly [K in keyof typeof STEPS]: Readonly<z.infer<(typeof STEPS)[K]>>;
}[keyof typeof STEPS];

/** The schema is chosen by the step's own word, so that a mistake is told in that step's terms. */
const stepSchema = z.record(z.string(), z.unknown()).transform((value, context): Step => {
  const kind = (Object.keys(STEPS) as (keyof typeof STEPS)[]).find((key) => key in value);
  if (!kind) {
    context.addIssue(`needs one of ${Object.keys(STEPS).join(', ')}`);
    return z.NEVER;
  }
  const parsed = STEPS[kind].safeParse(value);
  if (parsed.success) return parsed.data as Step;
  for (const { path, message } of parsed.error.issues)
    context.addIssue({ code: 'custom', path: [...path], message });
  return z.NEVER;
});

const jsonObject = z.record(z.string(), z.unknown()).default({});

const { permissions: _lists, ...plainSettings } = settingsSchema.shape;
const lists = z.array(z.string()).default([]);

const scenarioSchema = z.strictObject({
  /** For whoever reads it: what it can't show. */
  notes: z.array(z.string()).optional(),
  workspace: filesSchema.default({}),
  /** Files beside the workspace, in the folder `${OUTSIDE}`. */
  outside: filesSchema.default({}),
  settings: z
    .strictObject({
      ...plainSettings,
      permissions: z
        .strictObject({ allow: lists, ask: lists, deny: lists })
        .default({ allow: [], ask: [], deny: [] }),
      /** Ask as if a sandbox worked, on every machine. What runs is confined as this machine can. */
      assumeSandbox: z.boolean().default(false),
      /** Tokens of the model's window; larger than any scenario when absent. */
      contextWindow: z.number().int().positive().optional(),
    })
    .prefault({}),
  /** What the machine's policy file holds; never the real one, so that a scenario is the same everywhere. */
  policy: jsonObject,
  project: z
    .strictObject({
      /** What `.belay/settings.json` holds at the start. */
      settings: jsonObject,
      trusted: z.boolean().default(true),
      /** The person has accepted the project's settings as they are at the start. */
      accepted: z.boolean().default(true),
    })
    .prefault({}),
  steps: z.array(stepSchema),
});
export type Scenario = Readonly<z.infer<typeof scenarioSchema>>;

/** The scenario, or one sentence per mistake, each with the place it is at: "steps[0].model[1].cut: …". */
export function parseScenario(
  value: unknown,
): { readonly ok: true; readonly value: Scenario } | { readonly ok: false; readonly error: string } {
  const parsed = scenarioSchema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const lines = parsed.error.issues.map(({ path, message }) => `${place(path)}${message}`);
  return { ok: false, error: lines.join('\n') };
}

function place(path: readonly PropertyKey[]): string {
  const words = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return words ? `${words.replace(/^\./, '')}: ` : '';
}
