import type { ContextUse } from '#protocol/message';
import { t } from '#webview/text/words';

/** From this share on the core makes room by itself. */
const FULL = 80;

/** How full the model's window is: a ring and a number. Hidden while nobody knows. */
export function ContextMeter({ context }: { readonly context: ContextUse | undefined }) {
  if (!context || context.window <= 0) return null;
  const { used, window } = context;
  const percent = Math.min(100, Math.round((used / window) * 100));
  const label = t(
    '{0} of {1} tokens of context used. Room is made at {2} %, or with /compact.',
    used.toLocaleString(),
    window.toLocaleString(),
    FULL,
  );
  return (
    <span class="meter" role="img" aria-label={label} title={label} data-testid="context-meter">
      <svg viewBox="0 0 14 14" aria-hidden="true">
        <circle class="meter-track" cx="7" cy="7" r="5.5" />
        <circle
          class="meter-arc"
          cx="7"
          cy="7"
          r="5.5"
          pathLength={100}
          stroke-dasharray={`${percent} 100`}
        />
      </svg>
      <span class="meter-label" aria-hidden="true">
        {t('{0} %', percent)}
      </span>
    </span>
  );
}
