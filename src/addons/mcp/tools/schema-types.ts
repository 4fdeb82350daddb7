import { t } from '#base/l10n';
import { own, SchemaProblem, type Written } from './schema-refs';

export type Type = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

const TYPES: ReadonlySet<unknown> = new Set<Type>([
  ...(['string', 'number', 'integer', 'boolean'] as const),
  ...(['object', 'array', 'null'] as const),
]);
/** What a schema takes, also where it doesn't say so itself. Empty: anything. */
export function typesOf(schema: Written): readonly Type[] {
  const written = own(schema, 'type');
  const named = written === undefined ? inferred(schema) : Array.isArray(written) ? written : [written];
  const strange = named.find((type) => !TYPES.has(type));
  if (strange !== undefined)
    throw new SchemaProblem(
      t('it speaks of a type {0}, which there is not', JSON.stringify(strange).slice(0, 100)),
    );
  const types = new Set(named as readonly Type[]);
  if (types.has('number')) types.delete('integer');
  if (own(schema, 'nullable') === true && types.size > 0) types.add('null');
  return [...types];
}

const HINTS: readonly (readonly [type: Type, keywords: readonly string[]])[] = [
  [
    'object',
    ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties', 'maxProperties'],
  ],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains']],
  ['string', ['minLength', 'maxLength', 'pattern', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

function inferred(schema: Written): readonly Type[] {
  return HINTS.flatMap(([type, keywords]) =>
    keywords.some((key) => own(schema, key) !== undefined) ? [type] : [],
  );
}

/** The kind of a value that stands in a list of choices. */
export function typeOfValue(value: unknown): Type {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'boolean' || type === 'number' ? type : 'object';
}
