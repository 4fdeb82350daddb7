import { t } from '#base/l10n';
import { followRef, isTable, own, SchemaProblem, type Written } from './schema-refs';

/** How often one reference may stand inside what it leads to: once shows how it goes on. */
const MOST_INSIDE_ITSELF = 2;

/** A schema whose references and `allOf` are worked in, with the references that led to it. */
export interface Flat {
  readonly schema: Written | boolean;
  /** References that are open here; a schema below counts them to find that it goes round. */
  readonly open: readonly string[];
}

/** The schema that references are followed in, and how much work on it is left. */
export interface Whole {
  readonly root: unknown;
  steps: number;
}

/** Works `$ref` and `allOf` into the schema that holds them, as far as that can be said in one schema. */
export function flatten(value: unknown, whole: Whole, open: readonly string[]): Flat {
  if (--whole.steps < 0) throw new SchemaProblem(t('it is too intricate'));
  if (typeof value === 'boolean') return { schema: value, open };
  if (value === undefined) return { schema: true, open };
  if (!isTable(value)) throw new SchemaProblem(t('a part of it is no schema'));
  let flat: Flat = { schema: without(value), open };
  const ref = own(value, '$ref') ?? own(value, '$dynamicRef') ?? own(value, '$recursiveRef');
  if (ref !== undefined) flat = joined(flat, target(ref, whole, open));
  const all = own(value, 'allOf');
  if (Array.isArray(all))
    for (const part of all.slice(0, MOST_PARTS)) flat = joined(flat, flatten(part, whole, open));
  return flat;
}

const MOST_PARTS = 50;

function target(ref: unknown, whole: Whole, open: readonly string[]): Flat {
  const schema = followRef(ref, whole.root);
  const name = String(ref);
  if (open.filter((each) => each === name).length >= MOST_INSIDE_ITSELF)
    return { schema: outline(schema), open };
  return flatten(schema, whole, [...open, name]);
}

const GOES_ON = 'It goes on in the same way; what it may hold isn’t shown further.';

/** All that is kept of a schema that goes round. */
function outline(schema: unknown): Written {
  if (!isTable(schema)) return {};
  const [type, said] = [own(schema, 'type'), own(schema, 'description')];
  const description = typeof said === 'string' ? `${said} ${GOES_ON}` : GOES_ON;
  return { ...(type === undefined ? {} : { type }), description };
}

const WORKED_IN = new Set(['$ref', '$dynamicRef', '$recursiveRef', 'allOf', '$defs', 'definitions']);

function without(value: Written): Written {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !WORKED_IN.has(key)));
}

function joined(one: Flat, other: Flat): Flat {
  const open = other.open.length > one.open.length ? other.open : one.open;
  if (one.schema === false || other.schema === false) return { schema: false, open };
  if (typeof one.schema === 'boolean') return { ...other, open };
  if (typeof other.schema === 'boolean') return { ...one, open };
  return { schema: both(one.schema, other.schema), open };
}

/** What holds of both: fields of either, what either demands; of what can't be joined the nearer word counts. */
export function both(one: Written, other: Written): Written {
  const merged: Record<string, unknown> = { ...other, ...one };
  const [fields, others] = [own(one, 'properties'), own(other, 'properties')];
  if (isTable(fields) && isTable(others)) merged['properties'] = bothFields(fields, others);
  const required = [own(one, 'required'), own(other, 'required')].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  if (required.length > 0) merged['required'] = [...new Set(required)];
  for (const key of ['anyOf', 'oneOf'])
    if (own(one, key) !== undefined && own(other, key) !== undefined) delete merged[key];
  return merged;
}

/** A field that both describe must be what both say. */
function bothFields(fields: Written, others: Written): Written {
  const names = new Set([...Object.keys(others), ...Object.keys(fields)]);
  return Object.fromEntries(
    [...names].map((name) => {
      const [near, far] = [own(fields, name), own(others, name)];
      return [name, near === undefined ? far : far === undefined ? near : { allOf: [near, far] }];
    }),
  );
}
