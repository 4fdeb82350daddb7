import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planCompaction } from '#agent/compaction/plan';
import type { CallId } from '#protocol/ids';
import type { SentMessage } from '#protocol/message';
import { assistant, callPart, note, result, user } from '#test/unit/models/history';

const group = fc.record({
  kind: fc.constantFrom('user', 'note', 'reply'),
  calls: fc.nat(4),
  size: fc.constantFrom(0, 10, 999, 1000, 5000, 60_000),
});

/** Turns as they are: each reply followed by the results of its calls. */
function historyOf(
  groups: readonly { readonly kind: string; readonly calls: number; readonly size: number }[],
) {
  return groups.flatMap(({ kind, calls, size }, n): readonly SentMessage[] => {
    const words = 'x'.repeat(size);
    if (kind !== 'reply') return [kind === 'user' ? user(words) : note(words)];
    const ids = Array.from({ length: calls }, (_, index) => `call-${n}-${index}`);
    return [
      assistant({ kind: 'text', text: words }, ...ids.map((id) => callPart(id))),
      ...ids.map((id) => result(id, words)),
    ];
  });
}

test('a cut never parts a call from its result, keeps the last of what was said, and old outputs are all before it', () => {
  fc.assert(
    fc.property(
      fc.array(group, { maxLength: 20 }),
      fc.integer({ min: 1000, max: 300_000 }),
      fc.boolean(),
      (groups, window, asked) => {
        const sent = historyOf(groups);
        const { cut, outputs } = planCompaction(sent, { used: window, window }, asked);
        const before = new Set<CallId>();
        for (const message of sent.slice(0, cut))
          if (message.kind === 'assistant')
            for (const part of message.parts) if (part.kind === 'call') before.add(part.call.id);
        const parted = sent
          .slice(cut)
          .filter((message) => message.kind === 'result' && before.has(message.callId));
        expect(parted).toEqual([]);
        expect(cut === 0 || cut < sent.length).toBe(true);
        expect(sent[cut]?.kind).not.toBe('result');
        expect(outputs.every((output) => sent.indexOf(output) < cut)).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});

test('a summary alone is not summarised again', () => {
  const sent = [note('x'.repeat(40_000)), user('go'), assistant({ kind: 'text', text: 'x'.repeat(90_000) })];
  expect(planCompaction(sent, { used: 30_000, window: 32_000 }, false)).toMatchObject({ worthwhile: false });
});
