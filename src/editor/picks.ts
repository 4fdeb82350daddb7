import * as vscode from 'vscode';
import type { AppSession } from '#app';
import { t } from '#base/l10n';
import type { RestoreScope } from '#protocol/checkpoint';
import type { TurnHead } from '#protocol/page';
import { MODES, type Mode } from '#protocol/settings';
import { modeWords } from './mode-words';
import { oneLine } from './plain-text';

/** The word that full access is confirmed by: typed, never pressed, so that a stray Enter can't grant it. */
const CONFIRMATION = 'danger';

/** Asks for a mode unless one is given; full access is confirmed by typing a word in either case. Throws when the policy forbids it. */
export async function pickMode(
  current: Mode,
  permitted: readonly Mode[],
  given?: Mode,
): Promise<Mode | undefined> {
  const mode = given ?? (await askMode(current, permitted));
  if (mode && !permitted.includes(mode))
    throw new Error(t('This machine’s policy forbids the mode “{0}”.', modeWords(mode).name));
  if (mode !== 'danger-full-access' || current === mode) return mode;
  const typed = await vscode.window.showInputBox({
    title: t('Full access'),
    prompt: t('No sandbox and no questions until this session is closed. Type {0} to confirm.', CONFIRMATION),
    validateInput: (value) =>
      value === '' || CONFIRMATION.startsWith(value)
        ? undefined
        : t('Type {0}, or press Escape to keep the mode.', CONFIRMATION),
  });
  return typed === CONFIRMATION ? mode : undefined;
}

async function askMode(current: Mode, permitted: readonly Mode[]): Promise<Mode | undefined> {
  const items = MODES.map((mode) => {
    const { name, detail } = modeWords(mode);
    const iconPath = new vscode.ThemeIcon(mode === current ? 'check' : 'blank');
    // Shown all the same: who looks for it finds out why it isn't to be had.
    if (!permitted.includes(mode)) {
      const description = t('Forbidden by this machine’s policy');
      return { label: name, description, mode, iconPath: new vscode.ThemeIcon('lock') };
    }
    return { label: name, description: detail, mode, iconPath };
  });
  return (await vscode.window.showQuickPick(items, { title: t('Select Permission Mode') }))?.mode;
}

/** The turns before which one can go back, newest first. For files: those that changed some; for the conversation: all. */
export function turnsToGoBackTo(session: AppSession, scope: RestoreScope): readonly TurnHead[] {
  const standing = session
    .checkpoints()
    .filter(({ state }) => state !== 'undone' && state !== 'pruned')
    .filter(({ files, folders }) => files.length > 0 || folders);
  const changed = new Set(standing.map(({ turn }) => turn));
  const turns = session.history.turns().filter(({ turn }) => scope === 'session' || changed.has(turn));
  return [...turns].reverse();
}

/** Answers the number of the chosen turn. */
export async function pickTurn(
  turns: readonly TurnHead[],
  title = t('Go back to before which turn?'),
): Promise<number | undefined> {
  const items = turns.map(({ turn, prompt, at }) => ({
    label: oneLine(prompt),
    description: t('turn {0} · {1}', turn, new Date(at).toLocaleTimeString()),
    turn,
  }));
  return (await vscode.window.showQuickPick(items, { title }))?.turn;
}
