import { useEffect, useRef } from 'preact/hooks';
import type { PanelState } from '#protocol/panel-state';
import type { Draft } from '#webview/state/memory';
import { usePort } from './port';

/** What the send button and Enter do. */
export interface Send {
  /** There is something to send and somewhere to send it. */
  readonly ready: boolean;
  readonly now: () => void;
}

interface SendWorld {
  readonly state: PanelState | undefined;
  readonly draft: Draft;
  readonly onSent: () => void;
  readonly closed: boolean;
}

/**
 * Sends the draft. Where nothing is known of a session yet (the page has just been drawn) the message goes as soon as one is
 * there; where there is none, one is asked for.
 */
export function useSend({ state, draft, onSent, closed }: SendWorld): Send {
  const { post } = usePort();
  const wanted = useRef(false);
  const ready = state !== undefined && !closed && draft.text.trim() !== '';
  const sessionId = state?.sessionId;
  const now = () => {
    wanted.current = state === undefined || (ready && sessionId === undefined);
    if (wanted.current && state !== undefined) post({ type: 'new-session' });
    if (!ready || sessionId === undefined) return;
    post({ type: 'send', sessionId, text: draft.text, mentions: [...draft.mentions] });
    onSent();
  };
  useEffect(() => {
    if (!wanted.current || sessionId === undefined || draft.text.trim() === '') return;
    wanted.current = false;
    now();
  }, [sessionId, draft]);
  return { ready, now };
}
