import { z } from 'zod';
import { defined } from '#addons/mcp/defined';
import { t } from '#base/l10n';
import { revealInvisible, truncate } from '#base/text';
import type { FormField, FormValue } from '#host/questions';

/** More fields than a person would fill in for a program. */
const MOST_FIELDS = 30;
const MOST_OPTIONS = 200;
const MOST_WORDS = 500;

const words = z.string().transform((text) => truncate(revealInvisible(text), MOST_WORDS));
const titled = { title: words.optional(), description: words.optional() };
const named = z.object({ const: z.string(), title: words.optional() });
const fieldSchema = z.discriminatedUnion('type', [
  z.object({
    ...titled,
    type: z.literal('string'),
    default: z.string().optional(),
    format: z.string().optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    enum: z.array(z.string()).max(MOST_OPTIONS).optional(),
    enumNames: z.array(words).optional(),
    oneOf: z.array(named).max(MOST_OPTIONS).optional(),
  }),
  z.object({
    ...titled,
    type: z.enum(['number', 'integer']),
    default: z.number().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
  }),
  z.object({ ...titled, type: z.literal('boolean'), default: z.boolean().optional() }),
  z.object({
    ...titled,
    type: z.literal('array'),
    default: z.array(z.string()).optional(),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
    items: z.union([
      z.object({ enum: z.array(z.string()).max(MOST_OPTIONS) }),
      z.object({ anyOf: z.array(named).max(MOST_OPTIONS) }),
      z.object({ oneOf: z.array(named).max(MOST_OPTIONS) }),
    ]),
  }),
]);
type Written = z.output<typeof fieldSchema>;

const formSchema = z.object({
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()).default([]),
});

/** The fields that a server wants filled in; undefined when it is more, or else, than a form can show. */
export function formFields(schema: unknown): readonly FormField[] | undefined {
  const form = formSchema.safeParse(schema);
  if (!form.success) return undefined;
  const written = Object.entries(form.data.properties);
  if (written.length > MOST_FIELDS) return undefined;
  const fields: FormField[] = [];
  for (const [name, value] of written) {
    const parsed = fieldSchema.safeParse(value);
    if (!parsed.success) return undefined;
    fields.push(fieldOf(name, parsed.data, form.data.required.includes(name)));
  }
  return fields;
}

function fieldOf(name: string, written: Written, required: boolean): FormField {
  return {
    name,
    title: written.title ?? truncate(revealInvisible(name), MOST_WORDS),
    description: written.description ?? '',
    required,
    type: typeOf(written),
    problem: (value) => problemOf(written, value),
  };
}

function typeOf(written: Written): FormField['type'] {
  switch (written.type) {
    case 'boolean':
      return { kind: 'yes-no', ...defined({ proposed: written.default }) };
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        integer: written.type === 'integer',
        ...defined({ proposed: written.default }),
      };
    case 'array':
      return {
        kind: 'choice',
        several: true,
        options: optionsOf(written),
        ...defined({ proposed: written.default }),
      };
    case 'string': {
      const options = optionsOf(written);
      const proposed = written.default;
      if (options.length === 0) return { kind: 'text', ...defined({ proposed, format: written.format }) };
      return {
        kind: 'choice',
        several: false,
        options,
        ...(proposed === undefined ? {} : { proposed: [proposed] }),
      };
    }
  }
}

type Choice = Extract<FormField['type'], { kind: 'choice' }>['options'][number];

function optionsOf(written: Extract<Written, { type: 'string' | 'array' }>): readonly Choice[] {
  const source = written.type === 'array' ? written.items : written;
  const list = ('anyOf' in source && source.anyOf) || ('oneOf' in source && source.oneOf) || undefined;
  if (list) return list.map((one) => ({ value: one.const, title: one.title ?? shownValue(one.const) }));
  const names = written.type === 'string' ? written.enumNames : undefined;
  const values = ('enum' in source && source.enum) || [];
  return values.map((value, index) => ({ value, title: names?.[index] ?? shownValue(value) }));
}

function problemOf(written: Written, value: FormValue): string | undefined {
  switch (written.type) {
    case 'boolean':
      return undefined;
    case 'string':
      return typeof value === 'string' ? textProblem(written, value) : undefined;
    case 'array':
      return typeof value === 'object'
        ? countProblem(value.length, written.minItems, written.maxItems)
        : undefined;
    case 'number':
    case 'integer': {
      if (typeof value !== 'number') return undefined;
      if (!Number.isFinite(value)) return t('This is no number.');
      if (written.type === 'integer' && !Number.isInteger(value)) return t('This must be a whole number.');
      if (written.minimum !== undefined && value < written.minimum)
        return t('This must be at least {0}.', written.minimum);
      return written.maximum !== undefined && value > written.maximum
        ? t('This must be at most {0}.', written.maximum)
        : undefined;
    }
  }
}

function textProblem(
  { minLength, maxLength, format }: Extract<Written, { type: 'string' }>,
  value: string,
): string | undefined {
  const length = [...value].length;
  if (minLength !== undefined && length < minLength)
    return t('This must have at least {0} characters.', minLength);
  if (maxLength !== undefined && length > maxLength)
    return t('This must have at most {0} characters.', maxLength);
  const check = format === undefined ? undefined : FORMATS.get(format);
  return check && value !== '' && !check.safeParse(value).success
    ? t('This does not have the form that is asked for: {0}.', format ?? '')
    : undefined;
}

/** Those that the protocol names. */
const FORMATS: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['email', z.email()],
  ['uri', z.url()],
  ['date', z.iso.date()],
  ['date-time', z.iso.datetime({ offset: true })],
]);

function countProblem(
  count: number,
  least: number | undefined,
  most: number | undefined,
): string | undefined {
  if (least !== undefined && count < least) return t('Choose at least {0}.', least);
  return most !== undefined && count > most ? t('Choose at most {0}.', most) : undefined;
}

function shownValue(value: string): string {
  return truncate(revealInvisible(value), MOST_WORDS);
}
