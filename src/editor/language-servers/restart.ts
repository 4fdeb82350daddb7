import * as vscode from 'vscode';
import { t } from '#base/l10n';
import { assertNever } from '#base/result';
import type { LanguageServers } from './language-servers';
import type { LanguageServer, ServerState } from './server';

/** Asks which server to start anew, with where each stands; `name` has been chosen already. */
export async function restartLanguageServer(
  servers: LanguageServers | undefined,
  name: string | undefined,
): Promise<void> {
  const all = servers?.servers ?? [];
  if (all.length === 0)
    throw new Error(t('No language server is set up. The setting belay.languageServers names them.'));
  const chosen = all.find(({ entry }) => entry.name === name) ?? (await picked(all));
  if (!chosen) return;
  if (!vscode.workspace.isTrusted)
    throw new Error(t('This folder is not trusted, so no language server is started in it.'));
  await chosen.restart();
}

async function picked(servers: readonly LanguageServer[]): Promise<LanguageServer | undefined> {
  const items = servers.map((server) => ({
    label: server.entry.name,
    description: stateWords(server.state),
    detail: [server.entry.command, ...server.entry.args].join(' '),
    server,
  }));
  const item = await vscode.window.showQuickPick(items, { placeHolder: t('Restart which language server?') });
  return item?.server;
}

/** Where a server stands, in a few words. */
export function stateWords(state: ServerState): string {
  switch (state.kind) {
    case 'idle':
      return t('not needed yet');
    case 'starting':
      return t('starting');
    case 'running':
      return t('running (pid {0})', state.pid);
    case 'waiting':
      return t('starts again in {0} s: {1}', state.seconds, state.why);
    case 'failed':
      return t('does not run: {0}', state.why);
    case 'stopped':
      return t('stopped');
    default:
      return assertNever(state);
  }
}
