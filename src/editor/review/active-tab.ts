import * as vscode from 'vscode';
import { queryOf, type SideQuery } from '#editor/checkpoint-files';

/** Of the editor group that has the keyboard, or had it last. */
export function activeTab(): vscode.Tab | undefined {
  return vscode.window.tabGroups.activeTabGroup.activeTab;
}

/** The side of a diff that says what is compared, whichever editor the diff is in. */
export function originalOf(tab: vscode.Tab | undefined): SideQuery | undefined {
  return tab?.input instanceof vscode.TabInputTextDiff ? queryOf(tab.input.original) : undefined;
}
