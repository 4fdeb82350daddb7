import { posix as path } from 'node:path';
import * as vscode from 'vscode';
import { counted, t } from '#base/l10n';
import { revealInvisible, truncate } from '#base/text';
import type { CheckpointSummary, FileChange, FolderChange, NotUndoable } from '#protocol/checkpoint';
import type { BackgroundRow, SessionSummary } from '#protocol/panel-state';
import { whyNotUndone } from './not-undoable';
import { oneLine } from './plain-text';

/** A row of the checkpoint tree: a session, a command that runs beside it, a turn in it, a file of the turn, a file that a command changed. */
export type CheckpointNode =
  | { readonly kind: 'background'; readonly sessionId: string; readonly row: BackgroundRow }
  | { readonly kind: 'session'; readonly session: SessionSummary }
  | {
      readonly kind: 'turn';
      readonly sessionId: string;
      readonly checkpoint: CheckpointSummary;
      readonly redoable: boolean;
      /** The files alone, whatever became of the conversation. */
      readonly filesRedoable: boolean;
    }
  | {
      readonly kind: 'file';
      readonly sessionId: string;
      readonly checkpoint: CheckpointSummary;
      readonly change: FileChange;
    }
  | {
      readonly kind: 'folder';
      readonly sessionId: string;
      readonly checkpoint: CheckpointSummary;
      readonly change: FolderChange;
    }
  | {
      readonly kind: 'command-file';
      readonly path: string;
      readonly operation: string;
      readonly command: string;
      readonly why?: NotUndoable;
    };

/** UTF-16 units of where a link leads, as far as a row shows it. */
const LONGEST_TARGET = 80;

/** Own scheme, so that letters and colours stand on these rows only and not on the files themselves. */
const CHANGE_SCHEME = 'belay-change';

/** How a row looks. `shown`: the session that the panel shows. */
export function treeItem(node: CheckpointNode, shown: string | undefined): vscode.TreeItem {
  switch (node.kind) {
    case 'session':
      return sessionItem(node.session, node.session.id === shown);
    case 'background':
      return backgroundItem(node);
    case 'turn':
      return turnItem(node);
    case 'file':
      return fileItem(node);
    case 'folder':
      return folderItem(node);
    case 'command-file':
      return commandFileItem(node);
  }
}

/** Letter and colour of a row; undefined for what isn't one of ours. */
export function decorationOf(uri: vscode.Uri): vscode.FileDecoration | undefined {
  const look = uri.scheme === CHANGE_SCHEME ? DECORATIONS[uri.query] : undefined;
  return look && new vscode.FileDecoration(look.letter, look.words(), new vscode.ThemeColor(look.color));
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

function backgroundItem({ row, sessionId }: CheckpointNode & { kind: 'background' }): vscode.TreeItem {
  const item = new vscode.TreeItem(oneLine(row.command), vscode.TreeItemCollapsibleState.None);
  item.id = `${sessionId}:${row.id}`;
  item.contextValue = 'background';
  item.iconPath = new vscode.ThemeIcon(row.running ? 'server-process' : 'circle-slash');
  item.description = row.running
    ? row.taken
      ? t('running, you have the keyboard')
      : t('running')
    : row.ending;
  item.tooltip = row.command;
  item.command = {
    command: 'belay.showBackground',
    title: t('Show Terminal'),
    arguments: [{ sessionId, id: row.id }],
  };
  return item;
}

type TurnNode = CheckpointNode & { readonly kind: 'turn' };

function turnItem(node: TurnNode): vscode.TreeItem {
  const { checkpoint } = node;
  const undone = checkpoint.state === 'undone';
  const pruned = checkpoint.state === 'pruned';
  const time = new Date(checkpoint.at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  const item = new vscode.TreeItem(
    `${time}  ${oneLine(checkpoint.prompt)}`,
    pruned ? vscode.TreeItemCollapsibleState.None : vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = checkpoint.id;
  item.contextValue = turnContext(node);
  item.iconPath = new vscode.ThemeIcon(
    pruned ? 'archive' : undone ? 'discard' : 'history',
    undone || pruned ? new vscode.ThemeColor('disabledForeground') : undefined,
  );
  item.description = [counts(checkpoint), stateWords(checkpoint)].filter(Boolean).join(' · ');
  if (undone)
    item.resourceUri = vscode.Uri.from({ scheme: CHANGE_SCHEME, path: `/${checkpoint.id}`, query: 'undone' });
  item.tooltip = [
    checkpoint.prompt,
    t('Turn {0}', checkpoint.turn),
    ...(pruned ? [t('Its earlier contents were removed to save space: its files can’t be undone.')] : []),
    ...[...checkpoint.files, ...(checkpoint.folders ?? [])].map(({ path }) => path),
  ].join('\n');
  return item;
}

/** What the manifest's menus ask for. */
function turnContext({ checkpoint: { state }, redoable, filesRedoable }: TurnNode): string {
  const kind = state === 'pruned' || state === 'undone' ? state : 'undoable';
  return ['turn', kind, ...(redoable ? ['redoable'] : []), ...(filesRedoable ? ['filesRedoable'] : [])].join(
    ' ',
  );
}

function fileItem({ change, checkpoint, sessionId }: CheckpointNode & { kind: 'file' }): vscode.TreeItem {
  const name = path.basename(change.path);
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.None);
  item.id = `${checkpoint.id}:${change.path}`;
  item.contextValue = change.undone ? 'file' : 'file undoable';
  item.resourceUri = vscode.Uri.from({
    scheme: CHANGE_SCHEME,
    path: `/${change.path}`,
    query: change.operation,
  });
  const parent = path.dirname(change.path);
  item.description = [parent === '.' ? '' : parent, whatChanged(change)].filter(Boolean).join(' · ');
  item.tooltip = [
    change.from ? `${change.from} → ${change.path}` : change.path,
    ...(change.command === undefined ? [] : [t('Changed by the command {0}', change.command)]),
  ].join('\n');
  if (change.before.kind === 'folder') return item;
  item.command = {
    command: 'belay.checkpoint.openFile',
    title: t('Open Changes'),
    arguments: [{ kind: 'file', sessionId, checkpoint, change }],
  };
  return item;
}

/** A folder that came or went with what lay in it. */
function folderItem({ change, checkpoint }: CheckpointNode & { kind: 'folder' }): vscode.TreeItem {
  const item = new vscode.TreeItem(path.basename(change.path), vscode.TreeItemCollapsibleState.None);
  item.id = `${checkpoint.id}:${change.path}/`;
  item.contextValue = 'folder';
  item.iconPath = new vscode.ThemeIcon('folder');
  item.resourceUri = vscode.Uri.from({
    ...{ scheme: CHANGE_SCHEME, path: `/${change.path}`, query: change.operation },
  });
  const parent = path.dirname(change.path);
  if (parent !== '.') item.description = parent;
  item.tooltip = change.path;
  return item;
}

/** Of a folder its permission bits, of a link where it leads, of a file its lines. */
function whatChanged({ before, after, added, removed }: FileChange): string {
  const target = (text: string) => truncate(revealInvisible(text).replaceAll('\n', '\\n'), LONGEST_TARGET);
  if (before.kind === 'link' && after.kind === 'link')
    return t('link → {0} (before: {1})', target(after.target), target(before.target));
  if (after.kind === 'link') return t('link → {0}', target(after.target));
  if (before.kind === 'link') return t('was a link → {0}', target(before.target));
  const bits = (mode: number) => mode.toString(8).padStart(3, '0');
  if (before.kind !== 'folder' || after.kind !== 'folder') return `+${added} −${removed}`;
  return t('permissions {0} → {1}', bits(before.mode), bits(after.mode));
}

function commandFileItem(node: CheckpointNode & { kind: 'command-file' }): vscode.TreeItem {
  const item = new vscode.TreeItem(path.basename(node.path), vscode.TreeItemCollapsibleState.None);
  item.contextValue = 'command-file';
  item.iconPath = new vscode.ThemeIcon('terminal');
  item.description = t('changed while a command ran, not in the undo');
  item.tooltip = t(
    '{0}\nChanged while this command ran: {1}\n{2}',
    node.path,
    node.command,
    whyNotUndone(node.why),
  );
  return item;
}

function counts({ files, folders = [] }: CheckpointSummary): string {
  if (folders.length > 0) return counted(folders.length, '{0} folder', '{0} folders');
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
    case 'pruned':
      return t('contents removed to save space');
    case 'sealed':
      return '';
  }
}
