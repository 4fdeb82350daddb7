import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { Variables } from '#commands/environment';
import type { Watchdog } from '#commands/watchdog';
import type { EditorLog } from '#editor/log';
import type { ServerEntry } from './entries';
import { Reports } from './reports';
import { LanguageServer } from './server';
import { ServerLog } from './server-log';
import { startServer } from './start';

/** What the servers of a window share. */
export interface ServerWindow {
  readonly channel: EditorLog;
  readonly watchdog: Watchdog;
  /** Belay's own environment, with the login shell's PATH. */
  readonly variables: () => Promise<Variables>;
}

const clock = { monotonic: () => performance.now() };

/** A server of the setting, what it told, and since when it runs. */
export class OwnServer {
  readonly server: LanguageServer;
  readonly reports = new Reports();
  /** Milliseconds of `performance.now()`; undefined while it doesn't run. */
  since: number | undefined;

  constructor(entry: ServerEntry, { channel, watchdog, variables }: ServerWindow) {
    const log = new ServerLog(entry.name, channel, clock.monotonic);
    this.server = new LanguageServer({
      ...{ entry, log, clock },
      start: async (signal) => {
        // The library is loaded with the first start: it takes some 70 ms.
        const [{ connector }, known] = await Promise.all([
          import('#editor/language-servers/client'),
          variables(),
        ]);
        const connect = connector(entry, {
          channel,
          log,
          onReport: (uri, version) => this.reports.heard(uri, version),
        });
        const [first = homedir(), ...more] = workspaceFolders();
        return startServer(
          {
            ...{ entry, connect, watchdog, log, home: homedir() },
            ...{ variables: known, workspace: [first, ...more] },
          },
          signal,
        );
      },
    });
    this.server.onDidChange(({ kind }) => {
      this.since = kind === 'running' ? performance.now() : undefined;
      if (kind === 'starting') this.reports.clear();
    });
  }
}

function workspaceFolders(): readonly string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.flatMap(({ uri }) => (uri.scheme === 'file' ? [uri.fsPath] : []));
}
