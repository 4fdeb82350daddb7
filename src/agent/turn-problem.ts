import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import type { ModelProblem } from '#models/model';
import type { TurnProblem } from '#protocol/event';
import { DatabaseGone, isCorrupt } from '#store/database';

// What a person is told about a turn that didn't come to its end: what happened, what was kept, what to do.

/** The provider failed, and trying again didn't help. */
export function modelProblem(problem: ModelProblem): TurnProblem {
  return { kind: turnKind(problem.kind), title: TITLES[problem.kind](), detail: kept(problem.message) };
}

const TITLES: Readonly<Record<ModelProblem['kind'], () => string>> = {
  auth: () => t('The key was refused'),
  quota: () => t('The account has no credit left'),
  rate: () => t('Too many requests'),
  overloaded: () => t('The model is overloaded'),
  network: () => t('The model can’t be reached'),
  overflow: () => t('The conversation is too long for this model'),
  provider: () => t('The model failed'),
};

function turnKind(kind: ModelProblem['kind']): TurnProblem['kind'] {
  return kind === 'auth' || kind === 'quota' || kind === 'network' ? kind : 'provider';
}

/** The stream ended without a word and without a call. */
export function emptyProblem(filtered: boolean): TurnProblem {
  const why = filtered
    ? t('The provider’s filter held its answer back. Ask in other words or choose another model.')
    : t('It said nothing and called nothing. Try again, or choose another model.');
  return { kind: 'empty', title: t('The model answered with nothing'), detail: kept(why) };
}

/** The reply was cut at the provider's limit. */
export function cutProblem(): TurnProblem {
  return {
    kind: 'limit',
    title: t('The answer was cut'),
    detail: t('The model reached the most it may write in one reply. Continue to let it go on.'),
  };
}

/** Call after call was cut or garbled; none of them ran. */
export function brokenCallProblem(cut: boolean): TurnProblem {
  const why = cut
    ? t(
        'The model tried three times to write more in one call than it may write in one reply. Ask for smaller pieces, or choose another model.',
      )
    : t('Three times in a row the model’s calls were no valid JSON. Try again, or choose another model.');
  return { kind: 'limit', title: t('The model’s calls don’t arrive whole'), detail: kept(why) };
}

/** The turn took as many steps as it may. */
export function limitProblem(steps: number): TurnProblem {
  return {
    kind: 'limit',
    title: t('Stopped after {0} steps', steps),
    detail: kept(t('That is the limit of one turn. Continue to let it go on.')),
  };
}

/** The same call with the same result, over and over. */
export function loopProblem({ name, times }: { readonly name: string; readonly times: number }): TurnProblem {
  return {
    kind: 'loop',
    title: t('Stopped: the model goes round in a circle'),
    detail: kept(
      t(
        'It called {0} {1} times in a row and got the same result each time. Tell it what to do instead.',
        name,
        times,
      ),
    ),
  };
}

/** A hook ended the turn. */
export function hookProblem(hook: string, reason: string): TurnProblem {
  return {
    kind: 'hook',
    title: t('A hook ended the turn'),
    detail: kept(reason === '' ? t('{0} gave no reason.', hook) : `${hook}: ${reason}`),
  };
}

/** A hook blocked the prompt: the model never saw it. */
export function blockedPromptProblem(reason: string): TurnProblem {
  return {
    kind: 'hook',
    title: t('A hook blocked your message'),
    detail: t('{0}\nIt was not sent. Change it and send it again.', reason),
  };
}

/** None is chosen, or the chosen one can't be had. `reason` says what to do. */
export function noModelProblem(reason: string): TurnProblem {
  return { kind: 'auth', title: t('There is no model to ask'), detail: reason };
}

/** The database refused. `error` is SQLite's own. */
export function storeProblem(error: unknown): TurnProblem {
  if (isCorrupt(error))
    return {
      kind: 'store',
      title: t('Belay’s database is damaged'),
      detail: t(
        'The turn was stopped. Files that were changed keep their new content. Reload the window: the database is set aside then, never deleted, and a new one begun.',
      ),
    };
  if (error instanceof DatabaseGone)
    return {
      kind: 'store',
      title: t('Belay’s database was deleted or replaced'),
      detail: t(
        'Another program did that while this window used it. Files keep their content. What happened so far can be undone and exported in this window only: do that first, then reload it.',
      ),
    };
  return {
    kind: 'store',
    title: t('Belay can’t write its database'),
    detail: t(
      '{0}. The turn was stopped, since nothing may happen that isn’t recorded. Files that were changed keep their new content. Make room or rights in Belay’s storage folder and try again.',
      messageOf(error),
    ),
  };
}

/** What nobody foresaw. */
export function bugProblem(error: unknown): TurnProblem {
  return {
    kind: 'bug',
    title: t('Something went wrong in Belay'),
    detail: kept(t('{0}. The log has more: Belay: Show Log.', messageOf(error))),
  };
}

function kept(words: string): string {
  return t('{0} What was done so far is kept and can be undone.', words);
}

/** Thrown by the database, not by us. */
export function isStoreError(error: unknown): boolean {
  if (error instanceof DatabaseGone) return true;
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
}
