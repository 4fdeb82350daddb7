import * as vscode from 'vscode';
import type { App } from '#app';
import { type Disposable, DisposableStore } from '#base/disposable';
import type { Event } from '#base/emitter';
import { t } from '#base/l10n';
import { truncate } from '#base/text';
import type { CheckpointSummary, FileChange } from '#protocol/checkpoint';
import type { SessionSummary } from '#protocol/wire';
import type { CoreState } from './core';

export type CheckpointNode =
  | { readonly kind: 'session'; readonly session: SessionSummary }
  | {
      readonly kind: 'turn';
      readonly sessionId: string;
      readonly checkpoint: CheckpointSummary;
      readonly redoable: boolean;
    }
  | {
      readonly kind: 'file';
      readonly sessionId: string;
      readonly checkpoint: CheckpointSummary;
      readonly change: FileChange;
    }
  | {
      readonly kind: 'command-file';
      readonly path: string;
      readonly operation: string;
      readonly command: string;
    };

/** What the tree looks at in the window's core. */
interface Watched {
  readonly onDidChange: Event<void>;
  readonly ready: { readonly app: Listed } | undefined;
  readonly session: { readonly id: string } | undefined;
  start(): Promise<
    { readonly kind: 'ready'; readonly app: Listed } | { readonly kind: Exclude<CoreState['kind'], 'ready'> }
  >;
}
type Listed = Pick<App, 'sessions' | 'checkpoints' | 'canRedo'>;

/** Own scheme, so that letters and colours stand on these rows only and not on the files themselves. */
const CHANGE_SCHEME = 'belay-change';

/** Sessions → turns that changed something → files. */
export class CheckpointsTree
  implements vscode.TreeDataProvider<CheckpointNode>, vscode.FileDecorationProvider, Disposable
{
  readonly #core: Watched;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #disposables = new DisposableStore();
  /** What the editor was last handed, or told to ask for. */
  #shown: string | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(core: Watched) {
    this.#core = core;
    this.#disposables.add(core.onDidChange(() => this.#refresh()));
  }

  async getChildren(node?: CheckpointNode): Promise<CheckpointNode[]> {
    const state = await this.#core.start();
    if (state.kind !== 'ready') return [];
    if (!node) {
      this.#shown = this.#picture(state.app);
      return this.#roots(state.app.sessions());
    }
    if (node.kind === 'session') return this.#turns(node.session.id);
    if (node.kind !== 'turn') return [];
    const { sessionId, checkpoint } = node;
    return [
      ...checkpoint.files.map((change): CheckpointNode => ({ kind: 'file', sessionId, checkpoint, change })),
      ...checkpoint.commandChanges.map((change): CheckpointNode => ({ kind: 'command-file', ...change })),
    ];
  }

  getTreeItem(node: CheckpointNode): vscode.TreeItem {
    switch (node.kind) {
      case 'session':
        return sessionItem(node.session, node.session.id === this.#core.session?.id);
      case 'turn':
        return turnItem(node.checkpoint, node.redoable);
      case 'file':
        return fileItem(node);
      case 'command-file':
        return commandFileItem(node);
    }
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== CHANGE_SCHEME) return undefined;
    const decoration = DECORATIONS[uri.query];
    return (
      decoration &&
      new vscode.FileDecoration(
        decoration.letter,
        decoration.words(),
        new vscode.ThemeColor(decoration.color),
      )
    );
  }

  dispose(): void {
    this.#disposables.dispose();
    this.#changed.dispose();
  }

  /** Only for a difference to be seen: the editor draws every row anew, and a click on a row being drawn is lost. */
  #refresh(): void {
    const app = this.#core.ready?.app;
    const picture = app && this.#picture(app);
    if (picture !== undefined && picture === this.#shown) return;
    // Until the editor asks, the same change may be told twice; it would draw it twice too.
    this.#shown = picture;
    this.#changed.fire(undefined);
  }

  #picture(app: Listed): string {
    const sessions = this.#roots(app.sessions());
    return JSON.stringify([
      this.#core.session?.id,
      sessions.map((node) => [node.session.id, node.session.title, this.#turns(node.session.id)]),
    ]);
  }

  #roots(sessions: readonly SessionSummary[]): (CheckpointNode & { kind: 'session' })[] {
    return sessions
      .filter(({ id }) => this.#checkpoints(id).length > 0)
      .map((session) => ({ kind: 'session', session }));
  }

  #turns(sessionId: string): CheckpointNode[] {
    const redoable = this.#core.ready?.app.canRedo(sessionId) ?? false;
    const checkpoints = [...this.#checkpoints(sessionId)].sort((a, b) => b.turn - a.turn);
    return checkpoints.map((checkpoint) => ({
      kind: 'turn',
      sessionId,
      checkpoint,
      redoable: redoable && checkpoint.state === 'undone',
    }));
  }

  #checkpoints(sessionId: string): readonly CheckpointSummary[] {
    const checkpoints = this.#core.ready?.app.checkpoints(sessionId) ?? [];
    return checkpoints.filter(({ files, commandChanges }) => files.length + commandChanges.length > 0);
  }
}

const DECORATIONS: Readonly<Record<string, { letter: string; color: string; words: () => string }>> = {
  create: { letter: 'A', color: 'gitDecoration.addedResourceForeground', words: () => t('Added') },
  modify: { letter: 'M', color: 'gitDecoration.modifiedResourceForeground', words: () => t('Modified') },
  delete: { letter: 'D', color: 'gitDecoration.deletedResourceForeground', words: () => t('Deleted') },
  rename: { letter: 'R', color: 'gitDecoration.renamedResourceForeground', words: () => t('Renamed') },
  undone: { letter: '', color: 'disabledForeground', words: () => t('Undone') },
};

function sessionItem(session: SessionSummary, shown: boolean): vscode.TreeItem {
  const item = new vscode.TreeItem(
    session.title,
    shown ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = session.id;
  item.contextValue = 'session';
  item.iconPath = new vscode.ThemeIcon('comment-discussion');
  item.description = new Date(session.at).toLocaleDateString();
  return item;
}

function turnItem(checkpoint: CheckpointSummary, redoable: boolean): vscode.TreeItem {
  const undone = checkpoint.state === 'undone';
  const time = new Date(checkpoint.at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  const item = new vscode.TreeItem(
    `${time}  ${truncate(checkpoint.prompt.replaceAll(/\s+/g, ' '), 80)}`,
    vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = checkpoint.id;
  item.contextValue = `turn ${undone ? 'undone' : 'undoable'}${redoable ? ' redoable' : ''}`;
  item.iconPath = new vscode.ThemeIcon(
    undone ? 'discard' : 'history',
    undone ? new vscode.ThemeColor('disabledForeground') : undefined,
  );
  item.description = [lineCounts(checkpoint.files), stateWords(checkpoint)].filter(Boolean).join(' · ');
  if (undone)
    item.resourceUri = vscode.Uri.from({ scheme: CHANGE_SCHEME, path: `/${checkpoint.id}`, query: 'undone' });
  item.tooltip = [
    checkpoint.prompt,
    t('Turn {0}', checkpoint.turn),
    ...checkpoint.files.map(({ path }) => path),
  ].join('\n');
  return item;
}

function fileItem({ change, checkpoint, sessionId }: CheckpointNode & { kind: 'file' }): vscode.TreeItem {
  const name = change.path.split('/').at(-1) ?? change.path;
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.None);
  item.id = `${checkpoint.id}:${change.path}`;
  item.contextValue = 'file';
  item.resourceUri = vscode.Uri.from({
    scheme: CHANGE_SCHEME,
    path: `/${change.path}`,
    query: change.operation,
  });
  item.description = [change.path.slice(0, -name.length - 1), `+${change.added} −${change.removed}`]
    .filter(Boolean)
    .join(' · ');
  item.tooltip = change.from ? `${change.from} → ${change.path}` : change.path;
  item.command = {
    command: 'belay.checkpoint.openFile',
    title: t('Open Changes'),
    arguments: [{ kind: 'file', sessionId, checkpoint, change }],
  };
  return item;
}

function commandFileItem(node: CheckpointNode & { kind: 'command-file' }): vscode.TreeItem {
  const item = new vscode.TreeItem(
    node.path.split('/').at(-1) ?? node.path,
    vscode.TreeItemCollapsibleState.None,
  );
  item.contextValue = 'command-file';
  item.iconPath = new vscode.ThemeIcon('terminal');
  item.description = t('by a command, not undoable');
  item.tooltip = t(
    '{0}\nChanged while this command ran: {1}\nBelay does not undo it yet.',
    node.path,
    node.command,
  );
  return item;
}

function lineCounts(files: readonly FileChange[]): string {
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  return files.length > 0 ? `+${added} −${removed}` : '';
}

function stateWords(checkpoint: CheckpointSummary): string {
  switch (checkpoint.state) {
    case 'undone':
      return t('undone');
    case 'interrupted':
      return t('interrupted');
    case 'open':
      return t('running');
    case 'sealed':
      return '';
  }
}
