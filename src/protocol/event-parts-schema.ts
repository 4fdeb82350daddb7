import * as z from 'zod';
import { NOT_UNDOABLE } from './checkpoint';
import { RISKS } from './tool-call';

// The shapes inside events and transcripts as they are checked on arrival. A message with anything else in it is dropped.

const text = z.string();
const number = z.number();
const texts = z.array(z.string());
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
export const causeSchema = z.enum(['window', 'overflow', 'asked']);
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
  z.object({ kind: z.literal('folder'), mode: number }),
  z.object({ kind: z.literal('link'), target: text }),
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
const folderChange = z.object({
  path: text,
  operation: z.enum(['create', 'delete']),
  undone: z.boolean().optional(),
});
export const checkpointSchema = z.object({
  id: text,
  turnId: text,
  turn: number,
  prompt: text,
  at: number,
  state: z.enum(['open', 'sealed', 'interrupted', 'undone', 'pruned']),
  files: z.array(fileChange),
  folders: z.array(folderChange).optional(),
  commandChanges: z.array(commandChange),
  omittedCommandChanges: number.optional(),
  cutOffCommands: texts.optional(),
});
