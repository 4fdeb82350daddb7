import { useEffect, useRef, useState } from 'preact/hooks';
import type { Transcript } from '#protocol/transcript';
import { newlySpoken, type Spoken } from '#webview/markdown/sentences';
import { spokenApproval } from '#webview/text/approval-words';

/** Speaks what the eye sees come: text by finished sentences, questions once and at once. Never seen, never focused. */
export function Announcer({ transcript }: { readonly transcript: Transcript | undefined }) {
  const sentences = useSentences(transcript);
  // The one whose card is shown: the others wait behind it.
  const waiting = transcript?.approvals.find((approval) => !approval.by);
  return (
    <div class="sr-only">
      <div aria-live="polite" data-testid="spoken-text">
        {sentences}
      </div>
      <div aria-live="assertive" data-testid="spoken-approval">
        {waiting && <span key={waiting.request.id}>{spokenApproval(waiting.request)}</span>}
      </div>
    </div>
  );
}

/** Only of a turn that was seen running: its last words often come together with its end. An old session is not read out. */
function useSentences(transcript: Transcript | undefined): string {
  const watched = useRef<{ turnId: string; spoken: Spoken | undefined } | undefined>(undefined);
  const [sentences, setSentences] = useState('');
  const last = transcript?.turns.at(-1);
  useEffect(() => {
    if (last?.status === 'running' && watched.current?.turnId !== last.turnId)
      watched.current = { turnId: last.turnId, spoken: undefined };
    if (!last || watched.current?.turnId !== last.turnId) return;
    const texts = last.items.filter((item) => item.kind === 'text');
    const { words, spoken } = newlySpoken(texts, watched.current.spoken);
    watched.current.spoken = spoken;
    if (words !== '') setSentences(words);
  }, [last]);
  return sentences;
}
