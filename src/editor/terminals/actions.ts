import * as vscode from 'vscode';
import { z } from 'zod';
import { t } from '#base/l10n';
import type { Core } from '#editor/core';
import { readyCore, sessionAt } from '#editor/needs';

const rowSchema = z.object({ sessionId: z.string(), id: z.string() });

/** What a person does to a background command, wherever they do it. */
export type BackgroundAction = 'show' | 'stop' | 'give-back';

/** Carries it out. A command that is over by now needs nothing. */
export async function actOn(
  core: Core,
  sessionId: string,
  { id, action }: { readonly id: string; readonly action: BackgroundAction },
): Promise<void> {
  const { app } = await readyCore(core);
  const background = app.session(sessionId)?.background;
  if (!background?.get(id)) throw new Error(t('That command is not there any more.'));
  switch (action) {
    case 'show':
      return background.show(id);
    case 'stop':
      return background.stop(id, 'person');
    case 'give-back':
      return background.giveBack(id);
  }
}

/** Every keyboard that the person took over in the session shown. */
export async function giveTerminalBack(core: Core): Promise<void> {
  const { background } = (await sessionAt(core)).session;
  const taken = background
    .list()
    .filter(({ isRunning, terminal }) => isRunning && terminal?.keyboard === 'person');
  if (taken.length === 0) throw new Error(t('You have taken over no terminal of this session.'));
  for (const { id } of taken) background.giveBack(id);
}

/** Shows the terminal of the command that a row of the tree means, or lets the person choose one of the session shown. */
export async function showBackground(core: Core, which?: unknown): Promise<void> {
  const row = rowSchema.safeParse(which);
  if (row.success) return actOn(core, row.data.sessionId, { id: row.data.id, action: 'show' });
  const { background } = (await sessionAt(core)).session;
  const all = background.list();
  if (all.length === 0) throw new Error(t('This session has no background commands.'));
  const items = all.map(({ id, command, description, isRunning, ending }) => ({
    label: command,
    description: isRunning ? t('running') : (ending ?? ''),
    detail: description,
    id,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('Background commands of this session'),
  });
  if (chosen) background.show(chosen.id);
}
