import { useEffect, useState } from 'preact/hooks';
import { elapsed } from '#webview/text/durations';
import { t } from '#webview/text/words';
import { usePort } from './port';

/** Time that runs: seen every second, spoken every half minute. `since` is the extension's clock, in milliseconds since 1970. */
export function Elapsed({ since }: { readonly since: number }) {
  const ms = useTicking(since);
  const spoken = Math.floor(ms / 30_000) * 30_000;
  return (
    <>
      <span aria-hidden="true">{ms < 1000 ? '' : elapsed(ms)}</span>
      {spoken > 0 && <span class="sr-only">{t('for {0}', elapsed(spoken))}</span>}
    </>
  );
}

/** Seconds until a moment of the extension's clock, never below 0. */
export function useCountdown(until: number): number {
  return Math.max(0, Math.ceil(-useTicking(until) / 1000));
}

function useTicking(since: number): number {
  const { store } = usePort();
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return Date.now() - store.model.clockSkew - since;
}
