import * as z from 'zod';
import { answerSchema } from './approval';
import { RESTORE_SCOPES } from './checkpoint';
import {
  answeredBySchema,
  approvalSchema,
  artifactSchema,
  causeSchema,
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

const text = z.string();
const number = z.number();
const texts = z.array(text);
const numbers = z.array(number);

function recorded<T extends string, S extends z.core.$ZodLooseShape>(type: T, shape: S) {
  return z.object({ type: z.literal(type), sequence: number, sessionId: text, at: number, ...shape });
}

const turnId = text;
const callId = text;
const restored = { operation: text, turns: numbers, checkpointIds: texts, files: texts };
/** Every event of event.ts, as the panel and an import check it on arrival. */
export const eventSchema = z.discriminatedUnion('type', [
  recorded('session.created', { title: text }),
  recorded('session.titled', { title: text }),
  recorded('session.rewound', {
    toSequence: number,
    operation: text,
    scope: z.enum(RESTORE_SCOPES),
    turns: numbers,
  }),
  recorded('session.unwound', { operation: text }),
  recorded('session.forked', { from: text, title: text, turn: number.optional() }),
  recorded('mode.changed', { mode: z.enum(MODES) }),
  recorded('model.changed', { modelId: text }),
  recorded('turn.started', { turnId, turn: number, prompt: text, mentions: z.array(recordedMentionSchema) }),
  recorded('message.queued', { turnId, text }),
  recorded('message.delivered', { turnId, text }),
  recorded('model.requested', {
    turnId,
    requestId: text,
    step: number,
    modelId: text,
    toolNames: texts,
    toolSchemaSha256: text,
    activatedTools: texts,
  }),
  recorded('model.retrying', {
    turnId,
    requestId: text,
    attempt: number,
    attempts: number,
    delayMs: number,
    reason: text,
  }),
  recorded('model.completed', {
    turnId,
    requestId: text,
    text,
    reasoning: text,
    usage: usageSchema,
    finish: text,
    context: contextSchema.optional(),
  }),
  recorded('rules.loaded', { turnId, files: z.array(rulesFileSchema) }),
  recorded('conversation.compacting', { turnId, cause: causeSchema }),
  recorded('conversation.compacted', {
    turnId,
    cause: causeSchema,
    how: compactionSchema,
    before: number,
    after: number,
    usage: usageSchema.optional(),
    problem: text.optional(),
  }),
  recorded('tool.requested', { turnId, callId, name: text, inputSha256: text, inputBytes: number }),
  recorded('tool.gated', { turnId, callId, summary: text, trace: z.array(gateLineSchema) }),
  recorded('approval.requested', { turnId, request: approvalSchema }),
  recorded('approval.answered', {
    turnId,
    approvalId: text,
    callId,
    answer: answerSchema,
    by: answeredBySchema,
  }),
  recorded('tool.started', {
    turnId,
    callId,
    name: text,
    risk: riskSchema,
    sideEffect: z.boolean(),
    schemaSha256: text,
  }),
  recorded('tool.completed', {
    turnId,
    callId,
    name: text,
    status: statusSchema,
    code: codeSchema.optional(),
    contentBytes: number,
    contentSha256: text,
    display: displaySchema.optional(),
    artifact: artifactSchema.optional(),
    trace: z.array(gateLineSchema),
    ms: number,
  }),
  recorded('hook.reported', {
    turnId,
    callId: callId.optional(),
    event: text,
    hook: text,
    kind: hookReportKindSchema,
    text,
  }),
  recorded('tools.changed', { version: number, toolNames: texts }),
  recorded('todos.changed', { todos: z.array(todoSchema) }),
  recorded('checkpoint.sealed', { turnId, checkpoint: checkpointSchema }),
  recorded('checkpoint.undone', restored),
  recorded('checkpoint.redone', restored),
  recorded('checkpoint.pruned', { turns: numbers, checkpointIds: texts }),
  recorded('checkpoint.changed', { turnId, checkpoint: checkpointSchema }),
  recorded('files.kept', {
    paths: z.array(text).optional(),
    hunks: z.array(z.object({ path: text, line: number, lines: number })).optional(),
  }),
  recorded('turn.ended', { turnId, status: turnStatusSchema, problem: problemSchema.optional() }),
  z.object({
    type: z.literal('live.text'),
    sessionId: text,
    turnId,
    requestId: text,
    kind: z.enum(['text', 'reasoning']),
    delta: text,
  }),
  z.object({ type: z.literal('live.output'), sessionId: text, turnId, callId, lastLine: text }),
]);
