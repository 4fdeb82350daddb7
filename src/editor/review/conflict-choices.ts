import { setTimeout as later } from 'node:timers/promises';
import * as vscode from 'vscode';
import { counted, t } from '#base/l10n';
import type { Conflict, ConflictChoice, ConflictChoices } from '#protocol/checkpoint';

/** A row: a file to decide about, or what to do with all decisions. */
interface Item extends vscode.QuickPickItem {
  readonly conflict?: Conflict;
  readonly action?: 'go' | 'skip';
}

interface WayButton extends vscode.QuickInputButton {
  readonly way: ConflictChoice | 'compare';
}

/**
 * Asks, file by file, what an undo shall do about files that changed since: by buttons, or by accepting a row, which goes through the
 * choices in turn. Undefined when the person gives up: then nothing happens. `compare` shows one of them.
 */
export async function decideConflicts(
  conflicts: readonly Conflict[],
  compare: (path: string) => Promise<void>,
): Promise<ConflictChoices | undefined> {
  const choices = new Map<string, ConflictChoice>();
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = t(
    '{0} changed since. What shall undo do?',
    counted(conflicts.length, '{0} file', '{0} files'),
  );
  pick.placeholder = t('Press Enter on a file to choose; nothing has happened yet');
  pick.ignoreFocusOut = true;
  const draw = () => {
    const active = pick.activeItems[0];
    pick.items = itemsFor(conflicts, choices);
    const same = pick.items.find(({ label, action }) => label === active?.label && action === active.action);
    if (same) pick.activeItems = [same];
  };
  const choose = (conflict: Conflict, choice: ConflictChoice) => {
    for (const path of [conflict.path, ...(conflict.tied ?? [])]) choices.set(path, choice);
    draw();
  };
  draw();
  try {
    return await new Promise<ConflictChoices | undefined>((resolve) => {
      const isDecided = () => conflicts.every(({ path }) => choices.has(path));
      pick.onDidAccept(() => {
        const [item] = pick.selectedItems;
        if (item?.action === 'skip')
          for (const { path } of conflicts) choices.set(path, choices.get(path) ?? 'skip');
        if (item?.action && isDecided()) resolve(Object.fromEntries(choices));
        else if (item?.conflict)
          choose(item.conflict, nextWay(item.conflict, choices.get(item.conflict.path)));
      });
      pick.onDidTriggerItemButton(({ item, button }) => {
        const { way } = button as WayButton;
        if (!item.conflict) return;
        if (way === 'compare') void compare(item.conflict.path).then(() => pick.show());
        else choose(item.conflict, way);
      });
      // Hidden by the comparison that it opened, it comes back at once; hidden by the person, it doesn't.
      pick.onDidHide(() => void later(0).then(() => resolve(undefined)));
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}

function itemsFor(conflicts: readonly Conflict[], choices: ReadonlyMap<string, ConflictChoice>): Item[] {
  const open = conflicts.filter(({ path }) => !choices.has(path)).length;
  const go: Item =
    open === 0
      ? { label: t('Undo with these choices'), iconPath: new vscode.ThemeIcon('discard'), action: 'go' }
      : {
          label: t('Skip the rest and undo'),
          description: t('{0} to decide', open),
          iconPath: new vscode.ThemeIcon('discard'),
          action: 'skip',
        };
  return [...conflicts.map((conflict) => itemFor(conflict, choices.get(conflict.path))), go];
}

function itemFor(conflict: Conflict, choice: ConflictChoice | undefined): Item {
  const { path, why, tied = [] } = conflict;
  const together = tied.length > 0 ? t(' · goes with {0}', tied.join(', ')) : '';
  return {
    label: path,
    description: choice === undefined ? '' : wayWords(choice),
    detail: `${why}${together}`,
    iconPath: new vscode.ThemeIcon(choice === undefined ? 'question' : WAY_ICONS[choice]),
    buttons: [
      { way: 'compare', iconPath: new vscode.ThemeIcon('diff-multiple'), tooltip: t('Compare') } as WayButton,
      ...waysOf(conflict).map(
        (way): WayButton => ({ way, iconPath: new vscode.ThemeIcon(WAY_ICONS[way]), tooltip: wayWords(way) }),
      ),
    ],
    conflict,
  };
}

function waysOf({ fixed, mergeable }: Conflict): readonly ConflictChoice[] {
  return ['skip', ...(mergeable ? (['merge'] as const) : []), ...(fixed ? [] : (['overwrite'] as const))];
}

function nextWay(conflict: Conflict, current: ConflictChoice | undefined): ConflictChoice {
  const ways = waysOf(conflict);
  return ways[(current === undefined ? 0 : ways.indexOf(current) + 1) % ways.length] ?? 'skip';
}

function wayWords(way: ConflictChoice): string {
  switch (way) {
    case 'skip':
      return t('Skip');
    case 'merge':
      return t('Undo and keep the edit');
    case 'overwrite':
      return t('Overwrite');
  }
}

const WAY_ICONS: Readonly<Record<ConflictChoice, string>> = {
  skip: 'debug-step-over',
  merge: 'git-merge',
  overwrite: 'replace-all',
};
