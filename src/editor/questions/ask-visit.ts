import * as vscode from 'vscode';
import { t } from '#base/l10n';
import type { VisitQuestion } from '#host/questions';
import { type Address, addressRows } from './address';
import { type PickRow, pickRow } from './boxes';
import { atStart, shownLine, shownRow } from './shown';

/** Characters of an address in one row: what fits into the editor's list in a window of usual width. */
const WIDTH = 76;

type Choice = 'open' | 'copy' | 'decline';

/** Shows a whole address; opens it when the person takes that row. */
export async function askVisit(
  question: VisitQuestion,
  address: Address,
  signal: AbortSignal,
): Promise<boolean> {
  const rows = visitRows(address);
  const look = {
    title: t('{0} wants to open a page', atStart(shownLine(question.from, 80))),
    placeholder: shownLine(question.why),
    rows,
    // A row that only tells: Enter meant for something else opens nothing.
    active: rows[0],
  };
  for (;;) {
    const choice = await pickRow<Choice>(look, signal);
    if (choice === 'copy') {
      await vscode.env.clipboard.writeText(address.href);
      vscode.window.setStatusBarMessage(t('The address is copied'), 5000);
      continue;
    }
    // As a Uri its query would be decoded and encoded anew, which changes it; the editor keeps a string as it is.
    return choice === 'open' && vscode.env.openExternal(address.href as unknown as vscode.Uri);
  }
}

function visitRows({ href, host, reads }: Address): readonly PickRow<Choice>[] {
  const told: PickRow<Choice>[] = [
    { label: shownRow(host), iconPath: new vscode.ThemeIcon('globe') },
    ...(reads === undefined
      ? []
      : [
          {
            label: t('It reads as {0}: other scripts have letters that look alike', shownRow(reads)),
            iconPath: new vscode.ThemeIcon('warning'),
          },
        ]),
    { label: t('Whole address'), kind: vscode.QuickPickItemKind.Separator },
    ...addressRows(href, WIDTH).map((label) => ({ label: label.replaceAll('$(', '\\$(') })),
  ];
  return [
    ...told,
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { label: t('Open in Browser'), iconPath: new vscode.ThemeIcon('link-external'), choice: 'open' },
    { label: t('Copy Address'), iconPath: new vscode.ThemeIcon('copy'), choice: 'copy' },
    { label: t('Decline'), iconPath: new vscode.ThemeIcon('circle-slash'), choice: 'decline' },
  ];
}
