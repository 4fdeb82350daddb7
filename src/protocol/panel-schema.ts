import * as z from 'zod';
import { RESTORE_SCOPES } from './checkpoint';
import { recordedMentionSchema } from './event-parts-schema';
import { eventSchema } from './event-schema';
import { PAGE_PLACES } from './page';
import { MODES } from './settings';
import { answeredSchema, transcriptSchema, turnSchema } from './transcript-schema';
import type { ToPanel } from './wire';

const text = z.string();
const number = z.number();
const texts = z.array(z.string());
const flag = z.boolean();

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
  gone: z.object({ title: text, detail: text }).optional(),
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
  canRedoFiles: flag,
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
