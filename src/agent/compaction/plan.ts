import { referenceWords } from '#models/sent-messages';
import type { SentMessage } from '#protocol/message';
import { tokensIn, tokensOf, total } from './context-size';

/** From this share of the window on room is made. */
export const FULL = 0.8;
/** After leaving out outputs no more than this may be used, else it would soon begin anew and cost the provider's cache each time. */
const ENOUGH = 0.6;
/** The newest messages that stay word for word: this share of the window, and when a person asks, of what is used. */
const KEPT = 0.2;
const KEPT_WHEN_ASKED = 0.25;
/** Shorter outputs (in bytes) than this aren't worth a reference. */
const SHORTEST = 1000;

/** A summary replaces at least this share of the window, and when a person asks, so many tokens. */
const LEAST = 0.1;
const LEAST_WHEN_ASKED = 300;

type ResultMessage = Extract<SentMessage, { kind: 'result' }>;

/** How full it is, in tokens. */
export interface Fullness {
  readonly used: number;
  readonly window: number;
}

/** What could be done about a conversation that is too long. */
export interface CompactionPlan {
  /** Messages before this one may go into a summary; 0: there is nothing older. */
  readonly cut: number;
  /** Outputs before it that may be left out, oldest first. */
  readonly outputs: readonly ResultMessage[];
  /** Tokens that leaving them out would save. */
  readonly saved: number;
  /** Leaving them out is enough. */
  readonly suffices: boolean;
  /** What is older is worth a summary: one that saves little would be made anew at every step. */
  readonly worthwhile: boolean;
}

/** Looks at what is sent now and finds what is old in it. */
export function planCompaction(
  sent: readonly SentMessage[],
  { used, window }: Fullness,
  asked: boolean,
): CompactionPlan {
  const kept = asked ? Math.min(window * KEPT, used * KEPT_WHEN_ASKED) : window * KEPT;
  const cut = cutBefore(sent, kept);
  const outputs = sent
    .slice(0, cut)
    .filter((message) => message.kind === 'result')
    .filter(isWorthIt);
  const saved = outputs.reduce((sum, output) => sum + savedBy(output), 0);
  // An earlier summary at the head goes into the next one and saves nothing by that.
  const older = total(sent.slice(sent[0]?.kind === 'note' ? 1 : 0, cut));
  return {
    cut,
    outputs,
    saved,
    suffices: !asked && saved > 0 && used - saved <= window * ENOUGH,
    worthwhile: older >= (asked ? LEAST_WHEN_ASKED : Math.max(window * LEAST, LEAST_WHEN_ASKED)),
  };
}

/**
 * Where the older part ends: so that about `tokens` remain, before a message that begins something. A reply and the results of its calls
 * stay together, and the last of these groups always remains.
 */
function cutBefore(sent: readonly SentMessage[], tokens: number): number {
  let left = tokens;
  let cut = sent.length;
  for (let index = sent.length - 1; index >= 0; index--) {
    const message = sent[index];
    if (!message) break;
    left -= tokensOf(message);
    if (left < 0 && cut < sent.length) break;
    if (message.kind !== 'result') cut = index;
  }
  return cut === sent.length ? 0 : cut;
}

function isWorthIt({ result }: ResultMessage): boolean {
  return Buffer.byteLength(result.content) >= SHORTEST || result.images !== undefined;
}

function savedBy(message: ResultMessage): number {
  return Math.max(0, tokensOf(message) - tokensIn(referenceWords(message)));
}
