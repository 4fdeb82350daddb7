import type { EventOf } from './event';
import type { CompactionItem, TranscriptTurn, TurnItem } from './turn';

/** A line that says that room is being made, and then what came of it in its place. */
export function foldCompaction(
  turn: TranscriptTurn,
  event: EventOf<'conversation.compacting'> | EventOf<'conversation.compacted'>,
): TranscriptTurn {
  const { items } = withoutOpenCompaction(turn);
  return { ...turn, items: [...items, itemOf(event)] };
}

/** One that never came to its end left everything as it was. */
export function withoutOpenCompaction(turn: TranscriptTurn): TranscriptTurn {
  return turn.items.some(isOpen) ? { ...turn, items: turn.items.filter((item) => !isOpen(item)) } : turn;
}

function isOpen(item: TurnItem): boolean {
  return item.kind === 'compaction' && item.how === undefined;
}

function itemOf(
  event: EventOf<'conversation.compacting'> | EventOf<'conversation.compacted'>,
): CompactionItem {
  const key = `compaction-${event.sequence}`;
  if (event.type === 'conversation.compacting') return { kind: 'compaction', key, before: 0, after: 0 };
  const { how, before, after, problem } = event;
  return { kind: 'compaction', key, how, before, after, ...(problem === undefined ? {} : { problem }) };
}
