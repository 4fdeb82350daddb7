import { t } from '#base/l10n';
import { fail, ok, type Result } from '#base/result';
import type { RedoScope, RestoreScope } from '#protocol/checkpoint';
import type { SlashCommand } from '#protocol/panel-state';

/** What a person typed with a slash in front, understood. `turn` undefined means the last turn that can be undone. */
export type SlashAction =
  | { readonly kind: 'undo'; readonly scope: RestoreScope; readonly turn: number | undefined }
  | { readonly kind: 'diff'; readonly turn: number; readonly path: string | undefined }
  /** Without a turn: after the last one. */
  | { readonly kind: 'fork'; readonly turn: number | undefined }
  /** Without a scope: all that the last undo took. */
  | { readonly kind: 'redo'; readonly scope: RedoScope | undefined }
  | { readonly kind: 'stop' }
  | { readonly kind: 'new' }
  | { readonly kind: 'model' }
  | { readonly kind: 'mode' }
  | { readonly kind: 'compact'; readonly focus: string }
  | { readonly kind: 'help' };

/**
 * Reads a prompt as a slash command. Undefined when it isn't one: only a first word that is a known command counts, so that a prompt may
 * begin with a path. A known command with wrong arguments fails with its usage.
 */
export function parseSlash(prompt: string): Result<SlashAction, string> | undefined {
  const [first = '', ...words] = prompt.trim().split(/\s+/);
  if (!first.startsWith('/') || prompt.trim().includes('\n')) return undefined;
  const name = first.slice(1).toLowerCase();
  switch (name) {
    case 'undo':
      return undo(words);
    case 'fork':
      return fork(words);
    case 'compact':
      return ok({ kind: 'compact', focus: words.join(' ') });
    case 'redo':
      return redo(words);
    case 'stop':
    case 'new':
    case 'model':
    case 'mode':
    case 'help':
      return words.length === 0 ? ok({ kind: name }) : fail(t('/{0} takes no words after it.', name));
    default:
      return undefined;
  }
}

function undo(words: readonly string[]): Result<SlashAction, string> {
  const [what, number, ...rest] = words;
  if (what === undefined) return ok({ kind: 'undo', scope: 'files', turn: undefined });
  const turn = number !== undefined && /^[1-9]\d{0,8}$/.test(number) ? Number(number) : undefined;
  const known = what === 'diff' || what === 'files' || what === 'session' || what === 'all';
  if (!known || turn === undefined) return fail(UNDO_USAGE());
  // A path may have spaces in it.
  if (what === 'diff') return ok({ kind: 'diff', turn, path: rest.join(' ') || undefined });
  return rest.length === 0 ? ok({ kind: 'undo', scope: what, turn }) : fail(UNDO_USAGE());
}

function redo([what, ...rest]: readonly string[]): Result<SlashAction, string> {
  if (rest.length > 0 || (what !== undefined && what !== 'files'))
    return fail(t('Use /redo or /redo files.'));
  return ok({ kind: 'redo', scope: what });
}

function fork([number, ...rest]: readonly string[]): Result<SlashAction, string> {
  if (number === undefined) return ok({ kind: 'fork', turn: undefined });
  if (rest.length > 0 || !/^[1-9]\d{0,8}$/.test(number))
    return fail(t('Use /fork, or /fork N, where N is the number of the turn before which the fork begins.'));
  return ok({ kind: 'fork', turn: Number(number) });
}

const UNDO_USAGE = () =>
  t(
    'Use /undo, /undo files N, /undo session N, /undo all N or /undo diff N [path], where N is the number of a turn.',
  );

/** For completion in the composer and for /help. */
export function slashCommands(): readonly SlashCommand[] {
  return [
    {
      name: 'undo',
      usage: '/undo',
      description: t('Take back the files that the last turn changed'),
    },
    {
      name: 'undo files',
      usage: t('/undo files N'),
      description: t('Take back the files of turn N and all turns after it'),
    },
    {
      name: 'undo session',
      usage: t('/undo session N'),
      description: t('Take back the conversation to before turn N, keep the files'),
    },
    {
      name: 'undo all',
      usage: t('/undo all N'),
      description: t('Take back files and conversation to before turn N'),
    },
    { name: 'undo diff', usage: t('/undo diff N [path]'), description: t('Show what turn N changed') },
    { name: 'redo', usage: '/redo', description: t('Bring back what the last undo took') },
    {
      name: 'redo files',
      usage: '/redo files',
      description: t('Bring back the files that the last undo took, not the conversation'),
    },
    {
      name: 'compact',
      usage: t('/compact [what to keep in mind]'),
      description: t('Replace the older part of the conversation by a summary'),
    },
    {
      name: 'fork',
      usage: t('/fork N'),
      description: t('Begin a new session with what was said before turn N'),
    },
    { name: 'stop', usage: '/stop', description: t('Stop the running turn') },
    { name: 'new', usage: '/new', description: t('Begin a new session') },
    { name: 'model', usage: '/model', description: t('Choose the model') },
    { name: 'mode', usage: '/mode', description: t('Choose what needs your approval') },
    { name: 'help', usage: '/help', description: t('List these commands') },
  ];
}
