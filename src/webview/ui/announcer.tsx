import { useEffect, useRef, useState } from 'preact/hooks';
import type { Transcript } from '#protocol/transcript';
import { spokenLength } from '#webview/markdown/sentences';
import { spokenApproval } from '#webview/text/approval-words';

/** Speaks what the eye sees come: text by finished sentences, questions once and at once. Never seen, never focused. */
export function Announcer({ transcript }: { readonly transcript: Transcript | undefined }) {
  const sentences = useSentences(transcript);
  const waiting = transcript?.approvals.findLast((approval) => !approval.by);
  return (
    <div class="sr-only">
      <div aria-live="polite">{sentences}</div>
      <div aria-live="assertive" data-testid="spoken-approval">
        {waiting && <span key={waiting.request.id}>{spokenApproval(waiting.request)}</span>}
      </div>
    </div>
  );
}

function useSentences(transcript: Transcript | undefined): string {
  const spoken = useRef({ key: '', length: 0 });
  const [sentences, setSentences] = useState('');
  const last = transcript?.turns.at(-1);
  const item = last?.status === 'running' ? last.items.findLast((each) => each.kind === 'text') : undefined;
  const text = item?.kind === 'text' ? item.text : '';
  const streaming = item?.kind === 'text' && item.streaming;
  useEffect(() => {
    if (!item) return;
    if (spoken.current.key !== item.key) spoken.current = { key: item.key, length: 0 };
    const from = spoken.current.length;
    const to = streaming ? spokenLength(text, from) : text.length;
    if (to <= from) return;
    spoken.current.length = to;
    setSentences(text.slice(from, to));
  }, [item?.key, text, streaming]);
  return sentences;
}
