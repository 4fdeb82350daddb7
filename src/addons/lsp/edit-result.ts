import { t } from '#base/l10n';
import { count } from '#base/text';
import type { Display, ToolResult } from '#protocol/tool-result';
import { diffDisplay, diffLines } from '#tools/diff';
import { firstLines } from '#tools/display';
import { showPath } from '#tools/paths';
import type { Applied } from './apply-edit';
import type { EditPlan } from './edit-plan';

const TOLD = 40;
const LONGEST = 15_000;
/** Files whose changed lines are shown. */
const MOST_SHOWN = 100;

/** What was done and what wasn't, exactly: the model has to mend what is left. `what` begins the sentence: "Renamed a to b". */
export function editResult(
  what: string,
  plan: EditPlan,
  applied: Applied,
  words: { readonly title: string; readonly unfinished: string },
): ToolResult {
  const { changed, denied, failed, notReached, notes } = applied;
  const isWhole = failed.length === 0 && notReached.length === 0;
  const done = new Set<string>(changed);
  const places = plan.ready.reduce((sum, { path, places: n }) => (done.has(path) ? sum + n : sum), 0);
  const names = changed.slice(0, TOLD).map(showPath).join(', ');
  const more = changed.length > TOLD ? ` and ${changed.length - TOLD} more` : '';
  const head =
    changed.length === 0
      ? `${what}: nothing was changed.`
      : `${what}: ${count(places, 'change')} in ${count(changed.length, 'file')}: ${names}${more}.`;
  const undone = [
    ...(denied.length > 0
      ? [
          `Left as they were, since the permissions don't let this call change them: ${denied.map(showPath).join(', ')}.`,
        ]
      : []),
    ...failed.map(({ path, why }) => `Not changed: ${showPath(path)}: ${why}.`),
    ...(notReached.length > 0
      ? [`Not reached, since the user stopped it: ${notReached.map(showPath).join(', ')}.`]
      : []),
    ...plan.left,
  ];
  const tail = undone.length > 0 && changed.length > 0 ? [words.unfinished] : [];
  const content = [head, ...undone, ...tail, ...notes].join('\n');
  const display = changesDisplay(plan, words.title, done);
  const isStopped = notReached.length > 0;
  if (isWhole && changed.length > 0) return { version: 1, status: 'success', content, display };
  return {
    version: 1,
    status: isStopped ? 'cancelled' : 'error',
    code: isStopped ? 'cancelled' : 'tool_failed',
    retryable: false,
    content,
    display,
  };
}

/** The changes as people see them: one file as a diff, more as the changed lines of each. */
export function changesDisplay(plan: EditPlan, title: string, only?: ReadonlySet<string>): Display {
  const isShown = ({ path }: { readonly path: string }) => only === undefined || only.has(path);
  const rows = [
    ...plan.created
      .filter(isShown)
      .map(({ path, text }) => ({ path, operation: 'create' as const, before: '', after: text })),
    ...plan.ready
      .filter(isShown)
      .map(({ path, before, after }) => ({ path, operation: 'modify' as const, before, after })),
  ];
  const [first] = rows;
  if (first !== undefined && rows.length === 1) return { ...diffDisplay(first), title };
  const parts = rows.slice(0, MOST_SHOWN).map(({ path, before, after }) => {
    const { hunks } = diffLines(before, after);
    const lines = hunks.flatMap((hunk) => hunk.lines.filter((line) => !line.startsWith(' ')));
    return [showPath(path), ...lines.map((line) => `  ${line}`)].join('\n');
  });
  return {
    kind: 'text',
    title,
    fields: [{ key: t('Files'), value: String(rows.length) }],
    body: firstLines(parts.join('\n'), LONGEST),
  };
}
