import * as vscode from 'vscode';
import type { AppSession } from '#app';
import { t } from '#base/l10n';
import type { Core } from './core';
import { readyCore } from './needs';
import { oneLine } from './plain-text';

/** Forks a session of this folder and shows the fork; the other one stays as it is, running or not. */
export async function forkAndShow(core: Core, sessionId: string, turn: number | undefined): Promise<void> {
  const { app } = await readyCore(core);
  const forked = app.fork(sessionId, turn);
  if (!forked.ok) throw new Error(forked.error);
  await core.show(forked.value.id);
  vscode.window.setStatusBarMessage(
    turn === undefined ? t('Belay: forked after the last turn') : t('Belay: forked before turn {0}', turn),
    5000,
  );
}

/** Asks where the fork shall begin: undefined when the person goes away, `turn` undefined for after the last turn. */
export async function pickForkTurn(
  session: AppSession,
): Promise<{ readonly turn: number | undefined } | undefined> {
  const turns = [...session.history.turns()].reverse();
  if (turns.length === 0) throw new Error(t('Nothing was said in this session yet.'));
  const after = { label: t('After the last turn'), description: t('everything goes along'), turn: undefined };
  const items = turns.map(({ turn, prompt, at }) => ({
    label: oneLine(prompt),
    description: t('before turn {0} · {1}', turn, new Date(at).toLocaleTimeString()),
    turn,
  }));
  const title = t('Fork before which turn? This session stays as it is.');
  const chosen = await vscode.window.showQuickPick([after, ...items], { title, matchOnDescription: true });
  return chosen && { turn: chosen.turn };
}
