import * as vscode from 'vscode';
import { t } from '#base/l10n';
import type { FormAnswer, FormField, FormQuestion, FormValue } from '#host/questions';
import { askField } from './ask-field';
import { type PickRow, pickRow } from './boxes';
import { problemOf, proposedValues, titleOf, valueWords } from './form-values';
import { atStart, shownLine, shownRow, shownRows } from './shown';

type Choice = FormField | 'send' | 'decline';

/** Characters of a server's words in one row, and how many rows it gets. */
const WIDTH = 84;
const MOST_ROWS = 8;

/**
 * All that is asked in one list, with what has been answered: a row opens its field, Escape there leads back here, and the next one
 * that is open is ready to be taken. Nothing is sent but by its own row, which Enter finds only where the person went to it.
 */
export async function askForm(question: FormQuestion, signal: AbortSignal): Promise<FormAnswer> {
  const values = new Map(proposedValues(question.fields));
  const title = t('{0} asks', atStart(shownLine(question.from, 80)));
  const visited = new Set<FormField>();
  let last: FormField | undefined;
  for (;;) {
    const rows = formRows(question, values);
    const next = question.fields.find((field) => !visited.has(field)) ?? last;
    // With nothing to fill in, its own words are the row that Enter finds.
    const active = rows.find(({ choice }) => next !== undefined && choice === next) ?? rows[0];
    const placeholder = t('What you send goes to {0}', shownLine(question.from, 80));
    const choice = await pickRow<Choice>({ title, placeholder, rows, active }, signal);
    if (choice === undefined) return { kind: 'cancelled' };
    if (choice === 'decline') return { kind: 'declined' };
    if (choice === 'send') {
      if (firstProblem(question, values) === undefined)
        return { kind: 'accepted', values: Object.fromEntries(values) };
      continue;
    }
    visited.add(choice);
    last = choice;
    const answer = await askField({ field: choice, value: values.get(choice.name), title }, signal);
    if (answer.kind === 'answered') put(values, choice.name, answer.value);
  }
}

function formRows(
  { fields, message, from }: FormQuestion,
  values: ReadonlyMap<string, FormValue>,
): readonly PickRow<Choice>[] {
  const words = shownRows(message, WIDTH, MOST_ROWS).map((label) => ({ label }));
  const problem = firstProblem({ fields }, values);
  return [
    ...words,
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: t('Send to {0}', shownRow(from, 80)),
      iconPath: new vscode.ThemeIcon(problem === undefined ? 'arrow-right' : 'lock'),
      ...(problem === undefined ? {} : { description: shownRow(problem) }),
      choice: 'send',
    },
    { label: t('Decline'), iconPath: new vscode.ThemeIcon('circle-slash'), choice: 'decline' },
    { label: t('Answers'), kind: vscode.QuickPickItemKind.Separator },
    ...fields.map((field) => fieldRow(field, values.get(field.name))),
  ];
}

function fieldRow(field: FormField, value: FormValue | undefined): PickRow<Choice> {
  const answered = value !== undefined && problemOf(field, value) === undefined;
  return {
    label: shownRow(titleOf(field), 80),
    description: shownRow(valueWords(field, value)),
    ...(field.description ? { detail: shownRow(field.description) } : {}),
    iconPath: new vscode.ThemeIcon(answered ? 'check' : field.required ? 'circle-large-outline' : 'dash'),
    choice: field,
  };
}

function firstProblem(
  { fields }: Pick<FormQuestion, 'fields'>,
  values: ReadonlyMap<string, FormValue>,
): string | undefined {
  for (const field of fields) {
    const problem = problemOf(field, values.get(field.name));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function put(values: Map<string, FormValue>, name: string, value: FormValue | undefined): void {
  if (value === undefined) values.delete(name);
  else values.set(name, value);
}
