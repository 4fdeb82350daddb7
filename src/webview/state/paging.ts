import type { TurnPage } from '#protocol/page';
import type { AnsweredApproval, Transcript } from '#protocol/transcript';
import type { ToPanel } from '#protocol/wire';

/** The end of a session, and perhaps a part of it further up that the reader went to. */
export interface Paged {
  readonly transcript: Transcript | undefined;
  readonly page: TurnPage | undefined;
}

/** Puts turns that were asked for where they belong. What doesn't fit any more, since the session changed meanwhile, is dropped. */
export function withPage({ transcript, page }: Paged, told: Extract<ToPanel, { type: 'page' }>): Paged {
  if (!transcript || transcript.sessionId !== told.sessionId) return { transcript, page };
  const { place, turn } = told.wish;
  const got = told.page;
  if (got.turns.length === 0) return { transcript, page };
  if (place === 'around') return joined(transcript, got);
  if (place === 'after') {
    if (page?.turns.at(-1)?.turn !== turn) return { transcript, page };
    const approvals = [...page.approvals, ...got.approvals];
    return joined(transcript, { ...page, turns: [...page.turns, ...got.turns], approvals, after: got.after });
  }
  if (page?.turns[0]?.turn === turn)
    return { transcript, page: { ...page, ...above(got, page), before: got.before } };
  if (page || transcript.turns[0]?.turn !== turn) return { transcript, page };
  return { transcript: { ...transcript, ...above(got, transcript), before: got.before }, page };
}

/** A part that reaches the end of the session isn't one any more. */
function joined(transcript: Transcript, page: TurnPage): Paged {
  const known = new Set(transcript.turns.map(({ turnId }) => turnId));
  const turns = page.turns.filter(({ turnId }) => !known.has(turnId));
  const meets = turns.length < page.turns.length || page.after <= transcript.turns.length;
  if (!meets) return { transcript, page };
  if (turns.length === 0) return { transcript, page: undefined };
  const approvals = page.approvals.filter(({ turnId }) => !known.has(turnId));
  return {
    transcript: { ...transcript, ...above({ turns, approvals }, transcript), before: page.before },
    page: undefined,
  };
}

type Said = Pick<Transcript, 'turns' | 'approvals'>;

function above(earlier: Said, later: Said): Said {
  const approvals: readonly AnsweredApproval[] = [...earlier.approvals, ...later.approvals];
  return { turns: [...earlier.turns, ...later.turns], approvals };
}
