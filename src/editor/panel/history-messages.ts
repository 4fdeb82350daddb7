import * as vscode from 'vscode';
import type { Core } from '#editor/core';
import { HistoryActions } from '#editor/history';
import type { ToHost, ToPanel } from '#protocol/wire';

type HistoryMessage = Extract<
  ToHost,
  {
    type:
      | 'open-session'
      | 'open-tab'
      | 'search-sessions'
      | 'rename-session'
      | 'archive-session'
      | 'delete-session';
  }
>;

const TYPES: readonly ToHost['type'][] = [
  'open-session',
  'open-tab',
  'search-sessions',
  'rename-session',
  'archive-session',
  'delete-session',
];

/** Whether a message is one of the list of sessions. */
export function isOfHistory(message: ToHost): message is HistoryMessage {
  return TYPES.includes(message.type);
}

/** What the list of sessions asks. */
export function historyMessages(
  core: Core,
  post: (message: ToPanel) => void,
): (message: HistoryMessage) => Promise<void> {
  const history = new HistoryActions(core, post);
  return async (message) => {
    switch (message.type) {
      case 'open-session':
        return history.open(message.sessionId, message.turn);
      case 'open-tab':
        return vscode.commands.executeCommand('belay.openInTab', message.sessionId, message.turn);
      case 'search-sessions':
        return history.search(message);
      case 'rename-session':
        return history.rename(message.sessionId, message.title);
      case 'archive-session':
        return history.archive(message.sessionId, message.away);
      case 'delete-session':
        return history.delete(message.sessionId);
    }
  };
}
