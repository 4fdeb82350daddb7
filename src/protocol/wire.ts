import * as z from 'zod';
import { answerSchema } from './approval';
import {
  CONFLICT_CHOICES,
  type Conflict,
  ON_CONFLICT,
  RESTORE_SCOPES,
  type RestoreScope,
} from './checkpoint';
import type { AgentEvent } from './event';
import type { HistoryAnswer } from './history';
import type { Mention } from './message';
import { PAGE_PLACES, type PageWish, type TurnPage } from './page';
import type { PanelState, ResourceChoice } from './panel-state';
import { MODES } from './settings';
import type { Transcript } from './transcript';

const text = z.string().max(1_000_000);
const id = z.string().max(200);
const path = z.string().max(4096);

/** Most characters of a resource's address. */
export const RESOURCE_URI = 4096;

/** What goes along with a message. */
export const mentionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), path }),
  z.object({
    kind: z.literal('resource'),
    uri: z.string().min(1).max(RESOURCE_URI),
    name: z.string().max(500),
  }),
]);

/** What a person does about the changes of one file. */
const REVIEW_ACTIONS = ['open', 'keep', 'undo'] as const;

/** Which part of the turns from one on is meant. */
const partsShape = {
  /** That turn alone, not those after it. */
  only: z.literal(true).optional(),
  /** Up to this turn. */
  last: z.number().int().positive().optional(),
  /** These files. */
  paths: z.array(path).max(10_000).readonly().optional(),
  /** What waits for review. */
  review: z.literal(true).optional(),
};
/** The same as a type. */
export interface UndoParts {
  readonly only?: true | undefined;
  readonly last?: number | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly review?: true | undefined;
}

/** What the panel may ask of the extension. Parsed on arrival; anything else is dropped and logged. */
export const toHostSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello') }),
  /** Whether the page has the keyboard: the chords that answer a question mean nothing elsewhere. */
  z.object({ type: z.literal('focus'), focused: z.boolean() }),
  /** The question whose command is being edited on its card: until then the chord that allows it would mean another command. */
  z.object({ type: z.literal('editing'), approvalId: id.optional() }),
  /** What the page keeps over reloads. The editor keeps it too, but in the browser it may be seconds late. */
  z.object({ type: z.literal('keep'), kept: text }),
  z.object({ type: z.literal('send'), sessionId: id, text, mentions: z.array(mentionSchema).max(50) }),
  z.object({ type: z.literal('stop'), sessionId: id }),
  z.object({
    type: z.literal('answer'),
    sessionId: id,
    approvalId: id,
    inputSha256: id,
    answer: answerSchema,
  }),
  z.object({ type: z.literal('set-mode'), sessionId: id, mode: z.enum(MODES) }),
  z.object({ type: z.literal('set-model'), sessionId: id, modelId: id }),
  z.object({ type: z.literal('new-session') }),
  z.object({
    type: z.literal('open-session'),
    sessionId: id,
    /** Shows that turn. */
    turn: z.number().int().nonnegative().optional(),
  }),
  /** The same in a tab of its own. */
  z.object({
    type: z.literal('open-tab'),
    sessionId: id,
    turn: z.number().int().nonnegative().optional(),
  }),
  z.object({
    type: z.literal('search-sessions'),
    requestId: z.number().int(),
    query: z.string().max(10_000),
    everywhere: z.boolean(),
    archived: z.boolean(),
  }),
  z.object({ type: z.literal('rename-session'), sessionId: id, title: z.string().max(1000) }),
  z.object({ type: z.literal('archive-session'), sessionId: id, away: z.boolean() }),
  z.object({ type: z.literal('delete-session'), sessionId: id }),
  z.object({ type: z.literal('list-sessions') }),
  /** Turns that the page doesn't have: those before or after the turn of that number, or around it. */
  z.object({
    type: z.literal('page'),
    sessionId: id,
    place: z.enum(PAGE_PLACES),
    turn: z.number().int().nonnegative(),
  }),
  z.object({ type: z.literal('review'), sessionId: id }),
  z.object({ type: z.literal('keep-all'), sessionId: id }),
  z.object({
    type: z.literal('undo'),
    sessionId: id,
    turn: z.number().int().positive(),
    scope: z.enum(RESTORE_SCOPES),
    onConflict: z.enum(ON_CONFLICT),
    /** For single files; `onConflict` holds for the others. */
    choices: z.record(path, z.enum(CONFLICT_CHOICES)).optional(),
    ...partsShape,
  }),
  /** A file that an undo met: what Belay did, what was done since, what the undo would do. */
  z.object({
    type: z.literal('compare'),
    sessionId: id,
    turn: z.number().int().positive(),
    path,
    ...partsShape,
  }),
  /** One file of the changed-files bar. */
  z.object({ type: z.literal('review-file'), sessionId: id, path, action: z.enum(REVIEW_ACTIONS) }),
  z.object({
    type: z.literal('undo-changes'),
    sessionId: id,
    onConflict: z.enum(ON_CONFLICT),
  }),
  z.object({ type: z.literal('redo'), sessionId: id, scope: z.literal('files').optional() }),
  /** A command that runs beside the conversation. */
  z.object({
    type: z.literal('background'),
    sessionId: id,
    id,
    action: z.enum(['show', 'stop', 'give-back']),
  }),
  /** A new session of what was before the turn; it is shown. */
  z.object({ type: z.literal('fork'), sessionId: id, turn: z.number().int().positive() }),
  z.object({
    type: z.literal('open-diff'),
    sessionId: id,
    turn: z.number().int().positive(),
    path,
    against: z.enum(['after', 'now']),
  }),
  z.object({ type: z.literal('open-file'), path, line: z.number().int().positive().optional() }),
  /** A settings file by the name that traces give it. */
  z.object({
    type: z.literal('open-settings'),
    name: z.string().max(200),
    line: z.number().int().positive().optional(),
  }),
  z.object({ type: z.literal('open-artifact'), sessionId: id, artifactId: id }),
  z.object({ type: z.literal('open-link'), url: z.string().max(8192) }),
  z.object({ type: z.literal('copy'), text }),
  z.object({ type: z.literal('insert-code'), text }),
  z.object({ type: z.literal('find-files'), requestId: z.number().int(), query: z.string().max(500) }),
  /** A button; `folder` goes with choose-folder. Before there is a session there is no `sessionId`. */
  z.object({
    type: z.literal('action'),
    sessionId: id.optional(),
    action: z.enum([
      'continue',
      'try-again',
      'enter-key',
      'manage-trust',
      'open-folder',
      'open-sample',
      'take-over',
      'show-log',
      'choose-folder',
      'pick-model',
    ]),
    folder: z.string().max(500).optional(),
  }),
]);
export type ToHost = z.infer<typeof toHostSchema>;

/** What the extension tells the panel. A `snapshot` replaces everything; `events` go on from its sequence. */
export type ToPanel =
  | { readonly type: 'snapshot'; readonly state: PanelState; readonly transcript: Transcript | undefined }
  | { readonly type: 'state'; readonly state: PanelState }
  | { readonly type: 'events'; readonly sessionId: string; readonly events: readonly AgentEvent[] }
  /** Turns that were asked for. */
  | {
      readonly type: 'page';
      readonly sessionId: string;
      readonly wish: PageWish;
      readonly page: TurnPage;
    }
  /** The list of sessions comes over the conversation, with the keyboard in its search. */
  | { readonly type: 'show-sessions' }
  | { readonly type: 'sessions-found'; readonly requestId: number; readonly answer: HistoryAnswer }
  /** Shows that turn of the session. */
  | { readonly type: 'reveal'; readonly sessionId: string; readonly turn: number }
  | {
      readonly type: 'files-found';
      readonly requestId: number;
      readonly files: readonly { readonly path: string; readonly positions: readonly number[] }[];
    }
  /** To the same question: what others offer comes when they have answered. */
  | {
      readonly type: 'resources-found';
      readonly requestId: number;
      readonly resources: readonly ResourceChoice[];
    }
  /** A message that could not be sent: it goes back to where it was written, and never over what stands there by now. */
  | {
      readonly type: 'give-back';
      readonly sessionId: string;
      readonly text: string;
      readonly mentions: readonly Mention[];
    }
  /** An undo was refused or did less than asked: shown as a card until dismissed. */
  | {
      readonly type: 'restore-outcome';
      readonly sessionId: string;
      readonly title: string;
      readonly conflicts: readonly Conflict[];
      readonly retry?: UndoParts & { readonly turn: number; readonly scope: RestoreScope };
    }
  | {
      readonly type: 'notice';
      readonly sessionId: string | undefined;
      readonly severity: 'info' | 'warning' | 'error';
      readonly title: string;
      readonly detail: string;
    }
  | { readonly type: 'focus-composer' }
  | { readonly type: 'insert-text'; readonly text: string };
