import { t } from '#base/l10n';
import { plainText } from '#editor/plain-text';
import type { FormField, FormValue } from '#host/questions';
import { pickRow, pickSeveral, typeInto } from './boxes';
import { problemOf, titleOf, typedValue } from './form-values';
import { shownLine, shownRow } from './shown';

/** A field of a form on its turn. */
export interface AskedField {
  readonly field: FormField;
  /** What is answered so far. */
  readonly value: FormValue | undefined;
  /** Who asks. */
  readonly title: string;
}

/** `answered` without a value: the person leaves it out. */
export type FieldAnswer =
  | { readonly kind: 'answered'; readonly value: FormValue | undefined }
  | { readonly kind: 'left' };

const LEFT: FieldAnswer = { kind: 'left' };

/** Asks for the value of one field; `left` when its box is closed. */
export async function askField(asked: AskedField, signal: AbortSignal): Promise<FieldAnswer> {
  switch (asked.field.type.kind) {
    case 'text':
    case 'number':
      return askTyped(asked, signal);
    case 'yes-no':
      return askOne(
        asked,
        [
          { label: t('Yes'), choice: { value: true } },
          { label: t('No'), choice: { value: false } },
        ],
        signal,
      );
    case 'choice': {
      const { options, several } = asked.field.type;
      if (several) return askSeveral(asked, options, signal);
      const rows = options.map((option) => ({
        label: shownRow(option.title || option.value),
        choice: { value: option.value },
      }));
      return askOne(asked, rows, signal);
    }
  }
}

async function askTyped({ field, value, title }: AskedField, signal: AbortSignal): Promise<FieldAnswer> {
  const { type } = field;
  const format = type.kind === 'text' && type.format !== undefined ? [t('Format: {0}', type.format)] : [];
  const optional = field.required ? [] : [t('Leave it empty to leave it out.')];
  const typed = await typeInto(
    {
      title: `${title}: ${shownLine(titleOf(field), 80)}`,
      prompt: shownLine([field.description, ...format, ...optional].filter(Boolean).join(' · '), 400),
      value: value === undefined ? '' : String(value),
      validateInput: (text) => {
        const result = typedValue(field, text);
        return result.ok ? undefined : plainText(shownLine(result.error));
      },
    },
    signal,
  );
  if (typed === undefined) return LEFT;
  const result = typedValue(field, typed);
  return result.ok ? { kind: 'answered', value: result.value } : LEFT;
}

interface OneRow {
  readonly label: string;
  readonly choice: { readonly value: FormValue | undefined };
}

async function askOne(
  { field, value, title }: AskedField,
  offered: readonly OneRow[],
  signal: AbortSignal,
): Promise<FieldAnswer> {
  const rows = field.required
    ? offered
    : [...offered, { label: t('Leave Out'), choice: { value: undefined } }];
  const look = {
    title: `${title}: ${shownLine(titleOf(field), 80)}`,
    placeholder: shownLine(field.description),
    rows,
    active: rows.find(({ choice }) => choice.value === value),
  };
  const choice = await pickRow(look, signal);
  return choice ? { kind: 'answered', value: choice.value } : LEFT;
}

async function askSeveral(
  { field, value, title }: AskedField,
  options: readonly { readonly value: string; readonly title: string }[],
  signal: AbortSignal,
): Promise<FieldAnswer> {
  const chosen = typeof value === 'object' ? value : [];
  const items = options.map((option) => ({
    label: shownRow(option.title || option.value),
    picked: chosen.includes(option.value),
    value: option.value,
  }));
  const look = {
    title: `${title}: ${shownLine(titleOf(field), 80)}`,
    placeHolder: shownLine(field.description),
  };
  for (;;) {
    const picked = await pickSeveral(items, look, signal);
    if (!picked) return LEFT;
    const values = picked.map((item) => item.value);
    const problem = problemOf(field, values);
    if (problem === undefined) return { kind: 'answered', value: values };
    look.placeHolder = shownLine(problem);
    for (const item of items) item.picked = values.includes(item.value);
  }
}
