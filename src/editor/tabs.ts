import * as vscode from 'vscode';

/** True when the person has that file in a tab, alone or as the modified side of a diff. */
export function hasTab(uri: vscode.Uri): boolean {
  return tabs().some((tab) => urisOf(tab).some((candidate) => isSameFile(candidate, uri)));
}

/** Every file that the person has in a tab, each once. */
export function filesInTabs(): readonly vscode.Uri[] {
  const files = tabs()
    .flatMap(urisOf)
    .filter((uri) => uri.scheme === 'file');
  return [...new Map(files.map((uri) => [uri.fsPath, uri])).values()];
}

/** Closes the clean tabs of a file that is gone; diffs stay, they show what it was. Focus stays where it is. */
export async function closeTabs(path: string): Promise<void> {
  const file = vscode.Uri.file(path);
  const gone = tabs().filter(
    (tab) =>
      !tab.isDirty &&
      !(tab.input instanceof vscode.TabInputTextDiff) &&
      urisOf(tab).some((uri) => isSameFile(uri, file)),
  );
  if (gone.length > 0) await vscode.window.tabGroups.close(gone, true);
}

function tabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs);
}

function urisOf(tab: vscode.Tab): readonly vscode.Uri[] {
  const { input } = tab;
  if (
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputNotebook ||
    input instanceof vscode.TabInputCustom
  )
    return [input.uri];
  return input instanceof vscode.TabInputTextDiff ? [input.modified] : [];
}

function isSameFile(a: vscode.Uri, b: vscode.Uri): boolean {
  return a.scheme === b.scheme && a.fsPath === b.fsPath;
}
