import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '#base/disposable';

/** A row that stands for something, or a line that only tells. */
export interface PickRow<T> extends vscode.QuickPickItem {
  readonly choice?: T;
}

/** What a list to choose from shows. */
export interface PickLook<T> {
  readonly title: string;
  readonly placeholder: string;
  readonly rows: readonly PickRow<T>[];
  /** The row that Enter takes at first. */
  readonly active?: PickRow<T> | undefined;
}

/** Shows a list until a row with a choice is taken, it is closed, or the signal aborts; undefined for the latter two. */
export async function pickRow<T>(look: PickLook<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  const owned = new DisposableStore();
  const pick = owned.add(vscode.window.createQuickPick<PickRow<T>>());
  const told = new Promise<T | undefined>((resolve) => {
    owned.add(pick.onDidHide(() => resolve(undefined)));
    owned.add(
      pick.onDidAccept(() => {
        const choice = pick.selectedItems[0]?.choice;
        if (choice !== undefined) resolve(choice);
      }),
    );
    owned.add(whenAborted(signal, () => resolve(undefined)));
  });
  pick.title = look.title;
  pick.placeholder = look.placeholder;
  pick.ignoreFocusOut = true;
  pick.items = look.rows.map((row) => ({ ...row, alwaysShow: true }));
  const active = look.active ? look.rows.indexOf(look.active) : -1;
  pick.activeItems = pick.items.slice(active, active < 0 ? 0 : active + 1);
  pick.show();
  try {
    return await told;
  } finally {
    owned.dispose();
  }
}

/** A box for one value; undefined when it is closed or the signal aborts. */
export async function typeInto(
  options: Omit<vscode.InputBoxOptions, 'ignoreFocusOut'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const source = new vscode.CancellationTokenSource();
  const heard = whenAborted(signal, () => source.cancel());
  try {
    return await vscode.window.showInputBox({ ...options, ignoreFocusOut: true }, source.token);
  } finally {
    heard.dispose();
    source.dispose();
  }
}

/** Several rows by their checkboxes; undefined when the list is closed or the signal aborts. */
export async function pickSeveral<T extends vscode.QuickPickItem>(
  items: readonly T[],
  options: Pick<vscode.QuickPickOptions, 'title' | 'placeHolder'>,
  signal: AbortSignal,
): Promise<readonly T[] | undefined> {
  const source = new vscode.CancellationTokenSource();
  const heard = whenAborted(signal, () => source.cancel());
  try {
    const look = { ...options, ignoreFocusOut: true, canPickMany: true } as const;
    return await vscode.window.showQuickPick([...items], look, source.token);
  } finally {
    heard.dispose();
    source.dispose();
  }
}

function whenAborted(signal: AbortSignal, run: () => void): Disposable {
  signal.addEventListener('abort', run, { once: true });
  if (signal.aborted) run();
  return toDisposable(() => signal.removeEventListener('abort', run));
}
