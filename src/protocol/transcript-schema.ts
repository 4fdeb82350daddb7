import * as z from 'zod';
import { answerSchema } from './approval';
import {
  answeredBySchema,
  approvalSchema,
  artifactSchema,
  checkpointSchema,
  codeSchema,
  compactionSchema,
  contextSchema,
  displaySchema,
  gateLineSchema,
  hookReportKindSchema,
  problemSchema,
  recordedMentionSchema,
  riskSchema,
  rulesFileSchema,
  statusSchema,
  turnStatusSchema,
  usageSchema,
} from './event-parts-schema';
import { MODES } from './settings';
import { todoSchema } from './todo';

// The shapes of transcript.ts as the panel checks them on arrival.

const text = z.string();
const number = z.number();
const flag = z.boolean();

const itemSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), key: text, text, reasoning: text, streaming: flag }),
  z.object({
    kind: z.literal('call'),
    key: text,
    callId: text,
    name: text,
    summary: text,
    state: z.enum(['gating', 'waiting', 'running', ...statusSchema.options]),
    code: codeSchema.optional(),
    risk: riskSchema.optional(),
    display: displaySchema.optional(),
    artifact: artifactSchema.optional(),
    trace: z.array(gateLineSchema),
    startedAt: number.optional(),
    ms: number.optional(),
    lastLine: text,
  }),
  z.object({ kind: z.literal('message'), key: text, text, queued: flag }),
  z.object({
    kind: z.literal('hook'),
    key: text,
    event: text,
    hook: text,
    report: hookReportKindSchema,
    text,
  }),
  z.object({
    kind: z.literal('compaction'),
    key: text,
    how: compactionSchema.optional(),
    before: number,
    after: number,
    problem: text.optional(),
  }),
  z.object({ kind: z.literal('rules'), key: text, files: z.array(rulesFileSchema) }),
  z.object({
    kind: z.literal('retry'),
    key: text,
    attempt: number,
    attempts: number,
    until: number,
    reason: text,
  }),
]);
const todosSchema = z.array(todoSchema);
/** A turn with all that is shown of it. */
export const turnSchema = z.object({
  turnId: text,
  turn: number,
  at: number,
  prompt: text,
  mentions: z.array(recordedMentionSchema),
  items: z.array(itemSchema),
  status: z.enum(['running', ...turnStatusSchema.options]),
  problem: problemSchema.optional(),
  checkpoint: checkpointSchema.optional(),
  todosBefore: todosSchema,
});
/** A question, and its answer once there is one. */
export const answeredSchema = z.object({
  turnId: text,
  request: approvalSchema,
  answer: answerSchema.optional(),
  by: answeredBySchema.optional(),
});
/** A session as a person sees it. */
export const transcriptSchema = z.object({
  sessionId: text,
  title: text,
  mode: z.enum(MODES),
  modelId: text,
  turns: z.array(turnSchema),
  before: number,
  approvals: z.array(answeredSchema),
  todos: todosSchema,
  usage: usageSchema,
  context: contextSchema.optional(),
  sequence: number,
  reviewSince: number,
  covered: z.array(
    z.object({
      operation: text,
      turns: z.array(turnSchema),
      approvals: z.array(answeredSchema),
      todos: todosSchema,
    }),
  ),
  forkedFrom: z.object({ sessionId: text, title: text, after: text.optional() }).optional(),
});
