import type { SessionEvent } from './event';
import type { TurnId } from './ids';
import type { AnsweredApproval } from './transcript';
import type { TranscriptTurn } from './turn';

/** Some turns of a session in a row, oldest first, with the questions asked in them. */
export interface TurnPage {
  readonly turns: readonly TranscriptTurn[];
  readonly approvals: readonly AnsweredApproval[];
  /** How many turns that count come before and after these. */
  readonly before: number;
  readonly after: number;
}

/** Where a page lies: before or after a turn, or around it. */
export const PAGE_PLACES = ['before', 'after', 'around'] as const;

/** Which page is wanted: by the number of a turn. */
export interface PageWish {
  readonly place: (typeof PAGE_PLACES)[number];
  readonly turn: number;
}

/** A turn as a list names it. */
export interface TurnHead {
  readonly turnId: TurnId;
  readonly turn: number;
  readonly at: number;
  readonly prompt: string;
}

/** Whether an event takes turns out of sight or brings them back: then the page is made anew rather than folded on. */
export function reshapes(event: { readonly type: string }): boolean {
  const { type, scope } = event as Pick<SessionEvent, 'type'> & { readonly scope?: string };
  return type === 'session.unwound' || (type === 'session.rewound' && scope !== 'files');
}
