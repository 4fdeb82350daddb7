import * as vscode from 'vscode';
import { t } from '#base/l10n';
import { revealInvisible, truncate } from '#base/text';
import { shownText } from '#editor/questions/shown';
import type { McpToolRow } from '#protocol/mcp';
import { type McpNode, nodeKey, type ServerNode, serverFlags, type ToolNode } from './nodes';
import { placeWords, stateLook, stateWords } from './words';

/** How a row of the view looks. */
export function mcpItem(node: McpNode): vscode.TreeItem {
  switch (node.kind) {
    case 'question':
      return questionItem(node);
    case 'problem':
      return problemItem(node);
    case 'server':
      return serverItem(node);
    case 'tool':
      return toolItem(node);
    case 'count':
      return countItem(node);
  }
}

function questionItem(node: McpNode & { kind: 'question' }): vscode.TreeItem {
  const { sentence } = node.question;
  const item = new vscode.TreeItem(sentence, vscode.TreeItemCollapsibleState.None);
  item.id = nodeKey(node);
  item.contextValue = 'question';
  item.iconPath = new vscode.ThemeIcon(
    'comment-unresolved',
    new vscode.ThemeColor('notificationsInfoIcon.foreground'),
  );
  item.tooltip = sentence;
  item.command = { command: 'belay.mcp.answer', title: t('Answer…'), arguments: [node] };
  return item;
}

function problemItem(node: McpNode & { kind: 'problem' }): vscode.TreeItem {
  const { file, line, message } = node.problem;
  const place = line > 0 ? `${file}:${line}` : t('your settings');
  const item = new vscode.TreeItem(place, vscode.TreeItemCollapsibleState.None);
  item.id = nodeKey(node);
  item.contextValue = 'problem';
  item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground'));
  item.description = shownText(message);
  item.tooltip = shown(message);
  item.command = { command: 'belay.mcp.openPlace', title: t('Open'), arguments: [node] };
  return item;
}

function serverItem(node: ServerNode): vscode.TreeItem {
  const { row, asks } = node;
  const name = shownText(row.name, 80);
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const hasChildren = row.tools.length + row.prompts + row.resources > 0;
  const item = new vscode.TreeItem(name, hasChildren ? Collapsed : None);
  item.id = nodeKey(node);
  item.contextValue = serverFlags(node);
  const { icon, color } = stateLook(asks ? 'unasked' : row.state);
  item.iconPath = new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
  const changed = asks?.about === 'tools' ? [t('tools to review')] : [];
  const state = stateWords(row);
  item.description = [...changed, state].join(' · ');
  item.tooltip = [
    `${name} · ${state}`,
    ...(row.detail === '' ? [] : [shown(row.detail)]),
    shown(row.target),
    t('Written down in {0}', placeWords(row.place)),
  ].join('\n');
  item.accessibilityInformation = { label: t('MCP server {0}, {1}', name, item.description) };
  return item;
}

function toolItem(node: ToolNode): vscode.TreeItem {
  const { tool } = node;
  const item = new vscode.TreeItem(shownText(tool.original, 100), vscode.TreeItemCollapsibleState.None);
  item.id = nodeKey(node);
  item.contextValue = `tool ${tool.state}`;
  item.description = shownText(tool.why ?? tool.description, 120);
  item.tooltip = [
    tool.name,
    ...(tool.why === undefined ? [] : [shown(tool.why)]),
    ...(tool.description === '' ? [] : [shown(tool.description)]),
  ].join('\n');
  const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
  if (tool.state === 'on' || tool.state === 'off')
    item.checkboxState = {
      state: tool.state === 'on' ? Checked : Unchecked,
      tooltip: tool.state === 'on' ? t('Offered to the model') : t('Switched off'),
    };
  else item.iconPath = leftOutIcon(tool.state);
  return item;
}

function leftOutIcon(state: McpToolRow['state']): vscode.ThemeIcon {
  return state === 'changed'
    ? new vscode.ThemeIcon('diff-modified', new vscode.ThemeColor('problemsWarningIcon.foreground'))
    : new vscode.ThemeIcon('error', new vscode.ThemeColor('problemsErrorIcon.foreground'));
}

function countItem(node: McpNode & { kind: 'count' }): vscode.TreeItem {
  const { what, count } = node;
  const prompts = count === 1 ? t('1 prompt') : t('{0} prompts', count);
  const resources = count === 1 ? t('1 resource') : t('{0} resources', count);
  const label = what === 'prompts' ? prompts : resources;
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.None);
  item.id = nodeKey(node);
  item.contextValue = what;
  item.iconPath = new vscode.ThemeIcon(what === 'prompts' ? 'comment' : 'file');
  item.description = what === 'prompts' ? t('type / in the chat') : t('type @ in the chat');
  return item;
}

/** For tooltips: as it is, line breaks too, with what is invisible revealed. */
function shown(text: string): string {
  return revealInvisible(truncate(text, 4000));
}
