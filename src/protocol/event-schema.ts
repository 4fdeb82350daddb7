import * as z from 'zod';
import { answerSchema } from './approval';
import { NOT_UNDOABLE, RESTORE_SCOPES } from './checkpoint';
import { MODES } from './settings';
import { todoSchema } from './todo';
import { RISKS } from './tool-call';

// The shapes of event.ts as the panel checks them on arrival. A message with anything else in it is dropped.

const text = z.string();
const number = z.number();
const texts = z.array(z.string());
const numbers = z.array(z.number());
export const riskSchema = z.enum(RISKS);

export const statusSchema = z.enum(['success', 'error', 'denied', 'cancelled', 'unknown']);
export const codeSchema = z.enum([
  'unknown_tool',
  'inactive_tool',
  'duplicate_call',
  'invalid_json',
  'invalid_arguments',
  'rejected_arguments',
  'hook_denied',
  'permission_denied',
  'forbidden',
  'cancelled',
  'timed_out',
  'tool_failed',
  'interrupted',
]);
export const turnStatusSchema = z.enum(['done', 'cancelled', 'failed', 'limit', 'denied', 'interrupted']);
export const problemSchema = z.object({
  kind: z.enum(['auth', 'quota', 'network', 'provider', 'empty', 'loop', 'limit', 'hook', 'store', 'bug']),
  title: text,
  detail: text,
});
export const recordedMentionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), path: text }),
  z.object({ kind: z.literal('resource'), uri: text, name: text }),
]);
export const usageSchema = z.object({
  inputTokens: number.optional(),
  outputTokens: number.optional(),
  cachedInputTokens: number.optional(),
});
export const contextSchema = z.object({ used: number, window: number });
const causeSchema = z.enum(['window', 'overflow', 'asked']);
export const rulesFileSchema = z.object({
  path: text,
  sha256: text,
  state: z.enum(['whole', 'cut', 'left-out', 'unusable']),
  hidden: number,
  why: text.optional(),
});
export const compactionSchema = z.enum(['outputs', 'summary', 'none']);
export const gateLineSchema = z.object({
  stage: text,
  verdict: z.enum(['pass', 'stop', 'changed', 'asked']),
  why: text,
  by: z.enum(['rule', 'mode']).optional(),
  ms: number,
});
export const hookReportKindSchema = z.enum(['message', 'problem', 'blocked']);
export const artifactSchema = z.object({ id: text, bytes: number });

const operation = z.enum(['create', 'modify', 'delete', 'rename']);
const shown = { title: text, fields: z.array(z.object({ key: text, value: text })).optional() };
const hunk = z.object({ oldStart: number, newStart: number, lines: texts });
export const displaySchema = z.discriminatedUnion('kind', [
  z.object({ ...shown, kind: z.literal('text'), body: text }),
  z.object({
    ...shown,
    kind: z.literal('command'),
    command: text,
    body: text,
    exitCode: number.optional(),
    signal: text.optional(),
  }),
  z.object({ ...shown, kind: z.literal('search'), body: text, hits: number, files: number }),
  z.object({
    ...shown,
    kind: z.literal('diff'),
    path: text,
    operation,
    from: text.optional(),
    added: number,
    removed: number,
    hunks: z.array(hunk),
  }),
  z.object({ ...shown, kind: z.literal('artifact'), body: text }),
  z.object({ ...shown, kind: z.literal('json'), body: text }),
]);

const touch = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('read'), path: text }),
  z.object({ kind: z.literal('write'), path: text, operation, beside: z.literal(true).optional() }),
  z.object({
    kind: z.literal('execute'),
    command: text,
    cwd: text,
    network: z.boolean(),
    description: text,
    typed: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal('reach'), host: text }),
]);
export const approvalSchema = z.object({
  id: text,
  sessionId: text,
  callId: text,
  inputSha256: text,
  tool: text,
  summary: text,
  subject: text,
  description: text.optional(),
  risk: riskSchema,
  touches: z.array(touch),
  concerns: texts,
  suggestedRule: text.optional(),
  ruleChoices: texts,
  sandbox: z.object({
    active: z.boolean(),
    words: text,
    reach: z.literal('hosts').optional(),
    workspace: z.literal('read-only').optional(),
  }),
  network: z.boolean(),
  withoutSandbox: z.object({ why: text }).optional(),
  preview: displaySchema.optional(),
});
export const answeredBySchema = z.enum(['panel', 'notification', 'command', 'script', 'nobody', 'cancelled']);

const fileState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('absent') }),
  z.object({ kind: z.literal('file'), sha256: text, bytes: number, mode: number }),
]);
const fileChange = z.object({
  path: text,
  operation,
  from: text.optional(),
  before: fileState,
  after: fileState,
  added: number,
  removed: number,
  command: text.optional(),
  undone: z.boolean().optional(),
});
const commandChange = z.object({
  path: text,
  operation: z.enum(['create', 'modify', 'delete']),
  command: text,
  why: z.enum(NOT_UNDOABLE).optional(),
});
export const checkpointSchema = z.object({
  id: text,
  turnId: text,
  turn: number,
  prompt: text,
  at: number,
  state: z.enum(['open', 'sealed', 'interrupted', 'undone', 'pruned']),
  files: z.array(fileChange),
  commandChanges: z.array(commandChange),
  omittedCommandChanges: number.optional(),
  cutOffCommands: texts.optional(),
});

function recorded<T extends string, S extends z.core.$ZodLooseShape>(type: T, shape: S) {
  return z.object({ type: z.literal(type), sequence: number, sessionId: text, at: number, ...shape });
}

const turnId = text;
const callId = text;
const restored = { operation: text, turns: numbers, checkpointIds: texts, files: texts };
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
