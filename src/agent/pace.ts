import type { EventBody, SessionEvent } from '#protocol/event';

/**
 * Lets an onlooker hold a session at an event: the session waits for what is returned. Scenarios kill, write and cancel at exact
 * moments with it; the editor has none.
 */
export interface Pace {
  /** The event is about to be recorded; nothing of it is in the store. */
  before?(event: EventBody): Promise<void> | undefined;
  /** It is recorded and was told to everyone; what it announces hasn't begun. */
  after?(event: SessionEvent): Promise<void> | undefined;
}
