import type { DiffHunk } from '#protocol/tool-result';
import { visible } from '#webview/text/visible';
import { t } from '#webview/text/words';

interface Line {
  readonly key: string;
  readonly kind: 'same' | 'inserted' | 'removed';
  readonly number: number;
  readonly text: string;
}

/** Changed lines with their numbers and signs: colour is never the only carrier. */
export function Diff({ path, hunks }: { readonly path: string; readonly hunks: readonly DiffHunk[] }) {
  return (
    <div class="block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls */}
      <div class="diff" tabIndex={0} role="group" aria-label={visible(t('Changes in {0}', path))}>
        {hunks.map((hunk, index) => (
          <div key={`${hunk.oldStart}-${hunk.newStart}`} class="hunk">
            {index > 0 && (
              <div class="diff-gap" aria-hidden="true">
                ⋯
              </div>
            )}
            {linesOf(hunk).map((line) => (
              <div key={line.key} class={`diff-line ${line.kind}`}>
                <span class="diff-number">{line.number}</span>
                <span class="diff-sign">{SIGNS[line.kind]}</span>
                <span>{line.text}</span>
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

const SIGNS = { same: ' ', inserted: '+', removed: '−' } as const;

function linesOf(hunk: DiffHunk): readonly Line[] {
  let old = hunk.oldStart;
  let now = hunk.newStart;
  return hunk.lines.map((line, index) => {
    const kind = line.startsWith('+') ? 'inserted' : line.startsWith('-') ? 'removed' : 'same';
    const number = kind === 'removed' ? old : now;
    if (kind !== 'inserted') old += 1;
    if (kind !== 'removed') now += 1;
    return { key: `${index}`, kind, number, text: visible(line.slice(1)) };
  });
}
