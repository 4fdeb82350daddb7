import type { Result } from '#base/result';
import { oneLine } from '#base/text';
import type { FileProblem } from '#host';
import type { ProblemWatch } from '#host/language/problems';
import type { RelativePath } from '#protocol/ids';
import { beginWatch } from '#tools/files/new-problems';
import { settle } from '#tools/files/settle';
import { showPath } from '#tools/paths';
import { unreadable } from '#tools/search/skips';
import type { ToolContext, Written } from '#tools/tool';
import type { EditPlan } from './edit-plan';

/** What came of an edit, file by file. */
export interface Applied {
  readonly changed: readonly RelativePath[];
  /** Denied by the rules. */
  readonly denied: readonly RelativePath[];
  readonly failed: readonly { readonly path: RelativePath; readonly why: string }[];
  /** Not reached: the person stopped the turn. */
  readonly notReached: readonly RelativePath[];
  /** What else happened, for the model. */
  readonly notes: readonly string[];
}

interface Step {
  readonly path: RelativePath;
  readonly absolute: EditPlan['ready'][number]['absolute'];
  readonly text: string;
  readonly bytes: Uint8Array;
  /** What the model knows of it afterwards: all, some of it, or nothing new. */
  readonly known: 'whole' | 'part' | undefined;
  write(): Promise<Result<Written, FileProblem>>;
}

/** Files whose problems are compared over the edit. */
const MOST_WATCHED = 10;
const TOLD = 20;

/** Writes an edit file by file through the one writer. A file that fails doesn't keep the others from following. */
export async function applyEdit(tool: string, plan: EditPlan, context: ToolContext): Promise<Applied> {
  const steps = stepsOf(plan, context);
  const watches = await watchesOf(steps, context);
  try {
    const done = await carryOut(tool, steps, context);
    const wrote = new Set(done.changed);
    const watched = watches.filter(({ step }) => wrote.has(step.path));
    return { ...done, notes: [...done.notes, ...(await problemWords(watched, context))] };
  } finally {
    for (const { watch } of watches) watch.dispose();
  }
}

function stepsOf({ ready, created }: EditPlan, { writer }: ToolContext): readonly Step[] {
  return [
    ...created.map(
      ({ path, absolute, text, bytes }): Step => ({
        ...{ path, absolute, text, bytes, known: undefined },
        write: () => writer.create(path, bytes),
      }),
    ),
    ...ready.map(
      ({ path, absolute, after, bytes, expected, seen }): Step => ({
        ...{ path, absolute, text: after, bytes, known: seen },
        write: () => writer.replace(path, bytes, expected),
      }),
    ),
  ];
}

async function carryOut(tool: string, steps: readonly Step[], context: ToolContext): Promise<Applied> {
  const changed: RelativePath[] = [];
  const denied: RelativePath[] = [];
  const failed: { readonly path: RelativePath; readonly why: string }[] = [];
  const notReached: RelativePath[] = [];
  const notes: string[] = [];
  for (const step of steps) {
    const { path, absolute, text, bytes, known } = step;
    if (context.signal.aborted) {
      notReached.push(path);
      continue;
    }
    const outcome = await step.write();
    if (!outcome.ok) {
      if (outcome.error.kind === 'denied') denied.push(path);
      else failed.push({ path, why: outcome.error.message });
      continue;
    }
    changed.push(path);
    const put = { place: { relative: path, absolute }, bytes, text, whole: known === 'whole' };
    const told =
      known === undefined ? outcome.value.notes : await settle(tool, put, Promise.resolve(outcome), context);
    notes.push(...told.map((note) => `${showPath(path)}: ${note}`));
  }
  return { changed, denied, failed, notReached, notes };
}

interface Watched {
  readonly step: Step;
  readonly watch: ProblemWatch;
}

async function watchesOf(steps: readonly Step[], context: ToolContext): Promise<readonly Watched[]> {
  if (context.settings.problemsWaitMs === 0) return [];
  // A problem's words quote its file.
  const kept = unreadable(context);
  const shown = steps.filter(({ path }) => !kept.has(path));
  return Promise.all(
    shown.slice(0, MOST_WATCHED).map(async (step) => ({
      step,
      watch: await beginWatch(step.absolute, context),
    })),
  );
}

/** New problems of the first files. One that shows while the server hasn't read all of them may be gone when it has: it is asked twice. */
async function problemWords(watched: readonly Watched[], context: ToolContext): Promise<readonly string[]> {
  if (watched.length === 0 || context.signal.aborted) return [];
  const first = await newProblems(watched, context);
  const found = first.some(({ lines }) => lines.length > 0) ? await newProblems(watched, context) : first;
  const lines = found.flatMap((each) => each.lines);
  const unclear = found.filter(({ isKnown }) => !isKnown).length;
  const more = lines.length > TOLD ? [`… and ${lines.length - TOLD} more`] : [];
  if (lines.length > 0) return ['New problems:', ...lines.slice(0, TOLD), ...more];
  if (unclear === found.length) return ['Whether there are new problems is not known.'];
  const among = unclear === 0 ? '' : ` in ${found.length - unclear} of them; of the others it is not known`;
  return [`No new problems${among}.`];
}

async function newProblems(watched: readonly Watched[], { settings }: ToolContext) {
  return Promise.all(
    watched.map(async ({ step, watch }) => {
      const found = await watch.since(step.text, settings.problemsWaitMs).catch(() => undefined);
      const problems = found?.kind === 'known' ? found.problems : [];
      return {
        isKnown: found?.kind === 'known',
        lines: problems.map(
          ({ line, severity, message }) =>
            `  ${showPath(step.path)}:${line}: ${severity}: ${oneLine(message, 300)}`,
        ),
      };
    }),
  );
}
