import { t } from '#base/l10n';
import { fail, ok, type Result } from '#base/result';
import type { FormField, FormValue } from '#host/questions';

/** What the person has answered so far, by the fields' names. */
export type FormValues = ReadonlyMap<string, FormValue>;

/** What is proposed stands until the person says otherwise. */
export function proposedValues(fields: readonly FormField[]): FormValues {
  const values = new Map<string, FormValue>();
  for (const { name, type } of fields) {
    const proposed = type.kind === 'choice' ? proposedChoice(type) : type.proposed;
    if (proposed !== undefined) values.set(name, proposed);
  }
  return values;
}

/** What was typed into a field of text or numbers; undefined when it was left empty. Fails in words for people. */
export function typedValue(field: FormField, text: string): Result<FormValue | undefined, string> {
  const value = text === '' ? undefined : parsed(field, text);
  if (typeof value === 'number' && !Number.isFinite(value)) return fail(t('This must be a number.'));
  const problem = problemOf(field, value);
  return problem === undefined ? ok(value) : fail(problem);
}

/** Why a field can't be sent as it is; undefined when it can. */
export function problemOf(field: FormField, value: FormValue | undefined): string | undefined {
  if (value === undefined || (Array.isArray(value) && value.length === 0 && field.required))
    return field.required ? t('{0} is required.', titleOf(field)) : undefined;
  if (field.type.kind === 'number' && field.type.integer && !Number.isInteger(value))
    return t('This must be a whole number.');
  return field.problem?.(value);
}

/** A value as the overview shows it; a choice by its title. */
export function valueWords(field: FormField, value: FormValue | undefined): string {
  if (value === undefined) return field.required ? t('required') : t('not answered');
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  const { type } = field;
  const title = (one: string) =>
    (type.kind === 'choice' ? type.options.find((option) => option.value === one)?.title : undefined) ?? one;
  if (typeof value === 'object') return value.length > 0 ? value.map(title).join(', ') : t('none');
  return typeof value === 'string' ? title(value) || '""' : String(value);
}

/** Never empty: a server may leave titles out. */
export function titleOf({ title, name }: FormField): string {
  return title.trim() || name;
}

function proposedChoice(type: FormField['type'] & { kind: 'choice' }): FormValue | undefined {
  const known = type.proposed?.filter((one) => type.options.some(({ value }) => value === one));
  return type.several ? known : known?.[0];
}

function parsed({ type }: FormField, text: string): FormValue {
  if (type.kind !== 'number') return text;
  const trimmed = text.trim();
  return trimmed === '' ? Number.NaN : Number(trimmed);
}
