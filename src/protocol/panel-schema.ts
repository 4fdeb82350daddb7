import * as z from 'zod';
import { answerSchema } from './approval';
import { RESTORE_SCOPES } from './checkpoint';
import {
  answeredBySchema,
  approvalSchema,
  artifactSchema,
  checkpointSchema,
  codeSchema,
  compactionSchema,
  contextSchema,
  displaySchema,
  eventSchema,
  gateLineSchema,
  hookReportKindSchema,
  problemSchema,
  recordedMentionSchema,
  riskSchema,
  rulesFileSchema,
  statusSchema,
  turnStatusSchema,
  usageSchema,
} from './event-schema';
import { PAGE_PLACES } from './page';
import { MODES } from './settings';
import { todoSchema } from './todo';
import type { ToPanel } from './wire';

const text = z.string();
const number = z.number();
const texts = z.array(z.string());
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
const turnSchema = z.object({
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
const answeredSchema = z.object({
  turnId: text,
  request: approvalSchema,
  answer: answerSchema.optional(),
  by: answeredBySchema.optional(),
});
const transcriptSchema = z.object({
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

const folderSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('choose'), names: texts }),
  z.object({ kind: z.literal('open'), name: text }),
]);
const stateSchema = z.object({
  folder: folderSchema,
  trusted: flag,
  sessionId: text.optional(),
  sessions: z.array(z.object({ id: text, title: text, at: number, running: flag, waiting: number })),
  modes: z.array(z.enum(MODES)),
  models: z.array(z.object({ id: text, name: text, detail: text })),
  modelId: text.optional(),
  running: flag,
  elsewhere: flag,
  suggestions: texts,
  slashCommands: z.array(z.object({ name: text, usage: text, description: text })),
  sandbox: z.object({ active: flag, words: text }),
  problem: z.object({ title: text, detail: text }).optional(),
  interrupted: flag,
  changes: z.object({
    files: number,
    added: number,
    removed: number,
    turns: z.array(number),
    paths: texts,
    notUndoable: texts,
    list: z.array(
      z.object({
        path: text,
        turn: number,
        operation: z.enum(['create', 'modify', 'delete', 'rename']),
        added: number,
        removed: number,
      }),
    ),
  }),
  background: z.array(z.object({ id: text, command: text, running: flag, ending: text, taken: flag })),
  canRedo: flag,
});

const conflictSchema = z.object({
  path: text,
  why: text,
  fixed: z.literal(true).optional(),
  mergeable: z.literal(true).optional(),
  tied: texts.optional(),
});
const retrySchema = z.object({
  turn: number,
  scope: z.enum(RESTORE_SCOPES),
  only: z.literal(true).optional(),
  last: number.optional(),
  paths: texts.optional(),
  review: z.literal(true).optional(),
});
const toPanelSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('snapshot'), state: stateSchema, transcript: transcriptSchema.optional() }),
  z.object({ type: z.literal('state'), state: stateSchema }),
  z.object({ type: z.literal('events'), sessionId: text, events: z.array(eventSchema) }),
  z.object({
    type: z.literal('page'),
    sessionId: text,
    wish: z.object({ place: z.enum(PAGE_PLACES), turn: number }),
    page: z.object({
      turns: z.array(turnSchema),
      approvals: z.array(answeredSchema),
      before: number,
      after: number,
    }),
  }),
  z.object({ type: z.literal('show-sessions') }),
  z.object({
    type: z.literal('sessions-found'),
    requestId: number,
    answer: z.object({
      indexing: flag,
      found: z.array(
        z.object({
          sessionId: text,
          title: text,
          folder: text.optional(),
          archived: flag,
          at: number,
          turn: number.optional(),
          kind: z.enum(['title', 'prompt', 'answer']),
          snippet: z.array(z.object({ text, hit: flag })),
        }),
      ),
    }),
  }),
  z.object({ type: z.literal('reveal'), sessionId: text, turn: number }),
  z.object({
    type: z.literal('files-found'),
    requestId: number,
    files: z.array(z.object({ path: text, positions: z.array(number) })),
  }),
  z.object({
    type: z.literal('resources-found'),
    requestId: number,
    resources: z.array(z.object({ uri: text, name: text, owner: text, description: text })),
  }),
  z.object({
    type: z.literal('give-back'),
    sessionId: text,
    text,
    mentions: z.array(recordedMentionSchema),
  }),
  z.object({
    type: z.literal('restore-outcome'),
    sessionId: text,
    title: text,
    conflicts: z.array(conflictSchema),
    retry: retrySchema.optional(),
  }),
  z.object({
    type: z.literal('notice'),
    sessionId: text.optional(),
    severity: z.enum(['info', 'warning', 'error']),
    title: text,
    detail: text,
  }),
  z.object({ type: z.literal('focus-composer') }),
  z.object({ type: z.literal('insert-text'), text }),
]);

/** A message from the extension, checked; undefined when it is malformed and must be dropped. Ids get their brands here. */
export function parseToPanel(data: unknown): ToPanel | undefined {
  const parsed = toPanelSchema.safeParse(data);
  return parsed.success ? (parsed.data as unknown as ToPanel) : undefined;
}
