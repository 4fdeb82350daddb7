import type { CheckpointId, SessionId, Sha256 } from '#protocol/ids';
import type { KeptTurn } from '#store/pruning';
import type { BlobReference } from '#store/references';

/** How much is kept, and how long. */
export interface Retention {
  readonly days: number;
  /** Megabytes (2^20 bytes) of the contents of one session. */
  readonly sessionMb: number;
  /** The same of all sessions, long outputs included. */
  readonly totalMb: number;
  /** So many of a session's last turns that changed something are kept whatever their age and size. */
  readonly keepTurns: number;
}

/** What each turn needs. */
export type Needs = ReadonlyMap<CheckpointId, readonly BlobReference[]>;

/** What the choice is made from. */
export interface PruneFacts {
  /** Session by session, the oldest turn first. */
  readonly turns: readonly KeptTurn[];
  readonly needs: Needs;
  /** Bytes that count towards the total and can't be pruned: long outputs. */
  readonly otherBytes: number;
  readonly now: number;
}

const DAY = 24 * 60 * 60 * 1000;
const MB = 1024 * 1024;

/**
 * The turns whose contents go, the oldest of each session first: too old, or beyond what their session or all may have. Of a session
 * always the oldest go, without a gap: an undo goes back turn by turn.
 */
export function turnsToPrune(facts: PruneFacts, retention: Retention): KeptTurn[] {
  const { needs, now } = facts;
  const sessions = [...bySession(facts.turns).values()].map((turns) => new SessionTurns(turns, retention));
  const total = new Counted(needs);
  for (const session of sessions) {
    session.cutOld(now - retention.days * DAY);
    session.cutBeyond(retention.sessionMb * MB, new Counted(needs));
    for (const turn of session.always) total.add(turn);
  }
  const limit = retention.totalMb * MB - facts.otherBytes;
  const left = sessions.flatMap((session) => session.left().map((turn) => ({ session, turn })));
  for (const { session, turn } of left.sort((a, b) => b.turn.at - a.turn.at)) {
    total.add(turn);
    if (total.bytes > limit) session.cutThrough(turn);
  }
  return sessions.flatMap((session) => session.going());
}

function bySession(turns: readonly KeptTurn[]): Map<SessionId, KeptTurn[]> {
  const sessions = new Map<SessionId, KeptTurn[]>();
  for (const turn of turns) {
    const known = sessions.get(turn.sessionId);
    if (known) known.push(turn);
    else sessions.set(turn.sessionId, [turn]);
  }
  return sessions;
}

/** The turns of one session, the oldest first, and how many of them go. */
class SessionTurns {
  readonly #turns: readonly KeptTurn[];
  /** Turns from here on are kept whatever happens. */
  readonly #firstKept: number;
  #cut = 0;

  constructor(turns: readonly KeptTurn[], { keepTurns }: Retention) {
    this.#turns = turns;
    this.#firstKept = Math.max(0, turns.length - keepTurns);
  }

  get always(): readonly KeptTurn[] {
    return this.#turns.slice(this.#firstKept);
  }

  /** Turns of before that moment go. */
  cutOld(before: number): void {
    this.#cutTo(this.#turns.slice(0, this.#firstKept).findLastIndex(({ at }) => at < before) + 1);
  }

  /** What the newest turns leave no room for goes. */
  cutBeyond(limit: number, counted: Counted): void {
    const beyond = this.#turns.findLastIndex((turn) => {
      counted.add(turn);
      return counted.bytes > limit;
    });
    this.#cutTo(beyond + 1);
  }

  /** The turn and all before it go. */
  cutThrough(turn: KeptTurn): void {
    this.#cutTo(this.#turns.indexOf(turn) + 1);
  }

  left(): readonly KeptTurn[] {
    return this.#turns.slice(this.#cut, this.#firstKept);
  }

  going(): readonly KeptTurn[] {
    return this.#turns.slice(0, this.#cut);
  }

  #cutTo(index: number): void {
    this.#cut = Math.min(this.#firstKept, Math.max(this.#cut, index));
  }
}

/** Bytes of what some turns need together: a content that several need counts once. */
class Counted {
  readonly #needs: Needs;
  readonly #seen = new Set<Sha256>();
  bytes = 0;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  add({ id }: KeptTurn): void {
    for (const { sha256, bytes } of this.#needs.get(id) ?? []) {
      if (this.#seen.has(sha256)) continue;
      this.#seen.add(sha256);
      this.bytes += bytes;
    }
  }
}
