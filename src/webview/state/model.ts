import type { AgentEvent } from '#protocol/event';
import { isLive } from '#protocol/event';
import type { SessionId } from '#protocol/ids';
import type { TurnPage } from '#protocol/page';
import type { PanelState } from '#protocol/panel-state';
import { emptyTranscript, type Transcript } from '#protocol/transcript';
import { foldEvents } from '#protocol/transcript-fold';
import type { ToPanel } from '#protocol/wire';
import { assertNever } from '#webview/text/never';
import { withPage } from './paging';

/** An undo that was refused, until it is dismissed. */
export type Outcome = Omit<Extract<ToPanel, { type: 'restore-outcome' }>, 'type'>;
/** Something said to the person, until it is dismissed; `key` counts up. */
export interface Notice extends Omit<Extract<ToPanel, { type: 'notice' }>, 'type'> {
  readonly key: number;
}
/** The last answer to a search for files. */
export type FoundFiles = Omit<Extract<ToPanel, { type: 'files-found' }>, 'type'>;

/** What others offer, as the last answer to the same search. */
export type FoundResources = Omit<Extract<ToPanel, { type: 'resources-found' }>, 'type'>;

/** A message that came back unsent; `key` counts up. */
export interface GivenBack extends Omit<Extract<ToPanel, { type: 'give-back' }>, 'type'> {
  readonly key: number;
}

/** A turn that shall come into sight; `key` counts up. */
export interface Reveal extends Omit<Extract<ToPanel, { type: 'reveal' }>, 'type'> {
  readonly key: number;
}

/** All that the page draws. Changed by messages alone; what is open, folded or half typed is the components' own. */
export interface PanelModel {
  /** Undefined until the extension has answered. */
  readonly state: PanelState | undefined;
  /** The end of the session shown. */
  readonly transcript: Transcript | undefined;
  /** A part of it further up, where the reader went there. */
  readonly page: TurnPage | undefined;
  readonly reveal: Reveal | undefined;
  /** Not 0 while the list of sessions is shown; counts up with each wish to see it. */
  readonly sessionsWishes: number;
  /** The last answer to a search in them. */
  readonly sessionsFound: Omit<Extract<ToPanel, { type: 'sessions-found' }>, 'type'> | undefined;
  readonly outcome: Outcome | undefined;
  readonly notices: readonly Notice[];
  readonly found: FoundFiles | undefined;
  readonly resources: FoundResources | undefined;
  readonly givenBack: GivenBack | undefined;
  /** Counts up with each wish to focus the composer. */
  readonly focusWishes: number;
  /** Text to put into the composer at its caret; `key` counts up. */
  readonly insertion: { readonly key: number; readonly text: string } | undefined;
  /** Milliseconds by which the extension's clock is behind this one; a remote machine's may be off by hours. */
  readonly clockSkew: number;
  /** Events were missed: a snapshot is needed. */
  readonly stale: boolean;
  readonly nextKey: number;
}

/** Before the extension has said anything. */
export const EMPTY_MODEL: PanelModel = {
  state: undefined,
  transcript: undefined,
  page: undefined,
  reveal: undefined,
  sessionsWishes: 0,
  sessionsFound: undefined,
  outcome: undefined,
  notices: [],
  found: undefined,
  resources: undefined,
  givenBack: undefined,
  focusWishes: 0,
  insertion: undefined,
  clockSkew: 0,
  stale: false,
  nextKey: 1,
};

/** Most notices that are kept; older ones have been read or never will be. */
const MOST_NOTICES = 3;

/** `now` is this machine's time, in milliseconds since 1970. */
export function reduce(model: PanelModel, message: ToPanel, now: number): PanelModel {
  switch (message.type) {
    case 'snapshot':
      return {
        ...leaving(model, message.state),
        state: message.state,
        transcript: message.transcript,
        page: undefined,
        stale: false,
      };
    case 'state':
      return { ...model, state: message.state };
    case 'events':
      return withEvents(model, message, now);
    case 'page':
      return { ...model, ...withPage(model, message) };
    case 'reveal':
      return {
        ...model,
        reveal: { ...message, key: model.nextKey },
        nextKey: model.nextKey + 1,
        sessionsWishes: 0,
      };
    case 'show-sessions':
      return { ...model, sessionsWishes: model.sessionsWishes + 1 };
    case 'sessions-found':
      return { ...model, sessionsFound: message };
    case 'files-found':
      return { ...model, found: message };
    case 'resources-found':
      return { ...model, resources: message };
    case 'give-back':
      return { ...model, givenBack: { ...message, key: model.nextKey }, nextKey: model.nextKey + 1 };
    case 'restore-outcome':
      return { ...model, outcome: message };
    case 'notice':
      return {
        ...model,
        notices: [...model.notices, { ...message, key: model.nextKey }].slice(-MOST_NOTICES),
        nextKey: model.nextKey + 1,
      };
    case 'focus-composer':
      return { ...model, focusWishes: model.focusWishes + 1 };
    case 'insert-text':
      return { ...model, insertion: { key: model.nextKey, text: message.text }, nextKey: model.nextKey + 1 };
    default:
      return assertNever(message);
  }
}

/** The model once a notice was dismissed. */
export function withoutNotice(model: PanelModel, key: number): PanelModel {
  return { ...model, notices: model.notices.filter((notice) => notice.key !== key) };
}

/** The model once the outcome was dismissed. */
export function withoutOutcome(model: PanelModel): PanelModel {
  return { ...model, outcome: undefined };
}

/** What was said about one session isn't shown in another. */
function leaving(model: PanelModel, next: PanelState): PanelModel {
  if (model.state?.sessionId === next.sessionId) return model;
  return {
    ...model,
    sessionsWishes: 0,
    outcome: undefined,
    notices: model.notices.filter(
      (notice) => notice.sessionId === undefined || notice.sessionId === next.sessionId,
    ),
  };
}

function withEvents(
  model: PanelModel,
  message: Extract<ToPanel, { type: 'events' }>,
  now: number,
): PanelModel {
  const { transcript } = model;
  if (!transcript || transcript.sessionId !== message.sessionId || model.stale) return model;
  const news = message.events.filter((event) => isLive(event) || event.sequence > transcript.sequence);
  if (hasGap(transcript.sequence, news)) return { ...model, stale: true };
  const last = news.findLast((event) => !isLive(event));
  return {
    ...model,
    transcript: foldEvents(transcript, news),
    page: model.page && marked(model.page, news),
    clockSkew: last && !isLive(last) ? now - last.at : model.clockSkew,
  };
}

/** A hidden page loses messages, and a dropped one leaves a hole: recorded events are numbered without gaps. */
function hasGap(sequence: number, events: readonly AgentEvent[]): boolean {
  let expected = sequence + 1;
  for (const event of events) {
    if (isLive(event)) continue;
    if (event.sequence !== expected) return true;
    expected += 1;
  }
  return false;
}

const MARKS: ReadonlySet<AgentEvent['type']> = new Set([
  'checkpoint.undone',
  'checkpoint.redone',
  'checkpoint.changed',
  'checkpoint.pruned',
]);

/** What became of a turn after its end shows in a part further up too. */
function marked(page: TurnPage, events: readonly AgentEvent[]): TurnPage {
  const marks = events.filter(({ type }) => MARKS.has(type));
  if (marks.length === 0) return page;
  const { turns } = foldEvents({ ...emptyTranscript('' as SessionId), turns: page.turns }, marks);
  return { ...page, turns };
}
