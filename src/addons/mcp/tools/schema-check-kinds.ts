import { canonicalJson } from '#base/hash';
import { matchesPattern, patternCost } from './safe-pattern';
import { type Check, misfit, type Spot, trial } from './schema-check-state';
import { isTable, own, type Written } from './schema-refs';

/** What holds by the kind of a value: its type, and the keywords of that type. */
export function checkKind(value: unknown, schema: Written, check: Check, spot: Spot): void {
  const written = own(schema, 'type');
  const types = written === undefined ? [] : Array.isArray(written) ? written : [written];
  if (types.length > 0 && !types.some((type) => isOf(type, value)))
    misfit(check, spot, `it must be ${types.map(String).join(' or ')}, not ${kindOf(value)}`);
  else if (typeof value === 'string') checkText(value, schema, check, spot);
  else if (typeof value === 'number') checkNumber(value, schema, check, spot);
  else if (Array.isArray(value)) checkList(value, schema, check, spot);
  else if (isTable(value)) checkFields(value, schema, check, spot);
}

function isOf(type: unknown, value: unknown): boolean {
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value);
  return kindOf(value) === type;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** How many there may be; a bound below nothing is none. */
function countOf(schema: Written, key: string): number | undefined {
  const value = numberOf(schema, key);
  return value === undefined || value < 0 ? undefined : value;
}

function checkText(value: string, schema: Written, check: Check, spot: Spot): void {
  const [least, most] = [countOf(schema, 'minLength'), countOf(schema, 'maxLength')];
  const length = least === undefined && most === undefined ? 0 : [...value].length;
  if (least !== undefined && length < least) misfit(check, spot, `it must have at least ${least} characters`);
  if (most !== undefined && length > most) misfit(check, spot, `it may have at most ${most} characters`);
  const pattern = own(schema, 'pattern');
  check.steps -= patternCost(pattern, value);
  if (check.steps > 0 && matchesPattern(pattern, value) === false)
    misfit(check, spot, `it must match the pattern ${JSON.stringify(pattern)}`);
}

function checkNumber(value: number, schema: Written, check: Check, spot: Spot): void {
  const bound = (key: string, words: string, fits: (bound: number) => boolean) => {
    const limit = numberOf(schema, key);
    if (limit !== undefined && !fits(limit)) misfit(check, spot, `it must be ${words} ${limit}`);
  };
  // The oldest draft says with `true` that the bound itself is out.
  const isOut = (key: string) => own(schema, key) === true;
  bound('minimum', 'at least', (limit) => (isOut('exclusiveMinimum') ? value > limit : value >= limit));
  bound('maximum', 'at most', (limit) => (isOut('exclusiveMaximum') ? value < limit : value <= limit));
  bound('exclusiveMinimum', 'more than', (limit) => value > limit);
  bound('exclusiveMaximum', 'less than', (limit) => value < limit);
  bound('multipleOf', 'a multiple of', (step) => step <= 0 || isMultiple(value, step));
}

/** 0.3 is a multiple of 0.1, whatever binary fractions make of it. */
function isMultiple(value: number, step: number): boolean {
  const times = value / step;
  return Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
}

function checkList(value: readonly unknown[], schema: Written, check: Check, spot: Spot): void {
  const [least, most] = [countOf(schema, 'minItems'), countOf(schema, 'maxItems')];
  if (least !== undefined && value.length < least)
    misfit(check, spot, `it must have at least ${least} values`);
  if (most !== undefined && value.length > most) misfit(check, spot, `it may have at most ${most} values`);
  if (own(schema, 'uniqueItems') === true) {
    check.steps -= value.length;
    if (new Set(value.map((item) => canonicalJson(item))).size < value.length)
      misfit(check, spot, 'no value may stand in it twice');
  }
  const items = own(schema, 'items');
  const first = own(schema, 'prefixItems') ?? (Array.isArray(items) ? items : undefined);
  const leading: readonly unknown[] = Array.isArray(first) ? first : [];
  const rest = Array.isArray(items) ? own(schema, 'additionalItems') : items;
  value.forEach((item, index) => {
    const each = index < leading.length ? leading[index] : rest;
    if (each !== undefined) check.visit(item, each, check, at(spot, index));
  });
  checkContains(value, schema, check, spot);
}

function checkContains(value: readonly unknown[], schema: Written, check: Check, spot: Spot): void {
  const wanted = own(schema, 'contains');
  if (wanted === undefined) return;
  const found = value.filter(
    (item, index) => trial(item, wanted, check, at(spot, index)).length === 0,
  ).length;
  const [least, most] = [countOf(schema, 'minContains') ?? 1, countOf(schema, 'maxContains')];
  if (found < least) misfit(check, spot, `at least ${least} of its values must fit "contains"`);
  if (most !== undefined && found > most)
    misfit(check, spot, `at most ${most} of its values may fit "contains"`);
}

function checkFields(value: Written, schema: Written, check: Check, spot: Spot): void {
  const names = Object.keys(value);
  const [least, most] = [countOf(schema, 'minProperties'), countOf(schema, 'maxProperties')];
  if (least !== undefined && names.length < least)
    misfit(check, spot, `it must have at least ${least} fields`);
  if (most !== undefined && names.length > most) misfit(check, spot, `it may have at most ${most} fields`);
  demand(value, own(schema, 'required'), check, spot);
  const dependents = own(schema, 'dependentRequired') ?? own(schema, 'dependencies');
  const dependent = own(schema, 'dependentSchemas') ?? own(schema, 'dependencies');
  for (const name of names) {
    if (isTable(dependents) && Array.isArray(own(dependents, name)))
      demand(value, own(dependents, name), check, spot);
    if (isTable(dependent)) {
      const more = own(dependent, name);
      if (more !== undefined && !Array.isArray(more))
        check.visit(value, more, check, { ...spot, depth: spot.depth + 1 });
    }
    checkField({ name, value: value[name] }, schema, check, spot);
  }
}

function demand(value: Written, required: unknown, check: Check, spot: Spot): void {
  if (!Array.isArray(required)) return;
  check.steps -= required.length;
  for (const name of required)
    if (typeof name === 'string' && !Object.hasOwn(value, name))
      misfit(check, at(spot, name), 'it is required');
}

function checkField(
  { name, value }: { readonly name: string; readonly value: unknown },
  schema: Written,
  check: Check,
  spot: Spot,
): void {
  const here = at(spot, name);
  const naming = own(schema, 'propertyNames');
  if (naming !== undefined && trial(name, naming, check, here).length > 0)
    misfit(check, here, 'its name is not allowed');
  const [fields, patterns] = [own(schema, 'properties'), own(schema, 'patternProperties')];
  const field = isTable(fields) ? own(fields, name) : undefined;
  if (field !== undefined) check.visit(value, field, check, here);
  let isKnown = field !== undefined;
  for (const [pattern, each] of Object.entries(isTable(patterns) ? patterns : {})) {
    check.steps -= 1 + patternCost(pattern, name);
    const matches = check.steps > 0 ? matchesPattern(pattern, name) : undefined;
    // Where that isn't tried the field may be one of these.
    isKnown ||= matches !== false;
    if (matches === true) check.visit(value, each, check, here);
  }
  const more = own(schema, 'additionalProperties');
  if (isKnown || more === undefined) return;
  if (more === false) misfit(check, here, 'there is no such field');
  else check.visit(value, more, check, here);
}

function at({ path, depth }: Spot, key: string | number): Spot {
  return { path: [...path, key], depth: depth + 1 };
}

function numberOf(schema: Written, key: string): number | undefined {
  const value = own(schema, key);
  return typeof value === 'number' ? value : undefined;
}
