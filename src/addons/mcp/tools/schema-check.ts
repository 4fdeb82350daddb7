import { canonicalJson } from '#base/hash';
import { checkKind } from './schema-check-kinds';
import { type Check, type Misfit, misfit, type Spot, trial } from './schema-check-state';
import { followRef, isTable, own, SchemaProblem, type Written } from './schema-refs';

/** Enough for a megabyte of arguments under an ordinary schema; a schema that multiplies its work ends here. */
const MOST_STEPS = 400_000;
const DEEPEST = 400;

class TooIntricate extends Error {}

/**
 * Checks a value against a server's own schema, all drafts alike. Keywords that aren't known, formats and references to elsewhere hold
 * nothing back: the server judges last. It takes a bounded time whatever the schema and the value are; beyond it the value doesn't fit.
 */
export function misfitsOf(value: unknown, schema: unknown): readonly Misfit[] {
  const check: Check = { root: schema, steps: MOST_STEPS, misfits: [], visit: checkValue };
  try {
    checkValue(value, schema, check, { path: [], depth: 0 });
    return check.misfits;
  } catch (error) {
    if (error instanceof TooIntricate)
      return [{ path: [], rule: 'they can’t be checked: the schema makes too much work of them' }];
    throw error;
  }
}

function checkValue(value: unknown, schema: unknown, check: Check, spot: Spot): void {
  if (--check.steps < 0 || spot.depth > DEEPEST) throw new TooIntricate();
  if (schema === false) misfit(check, spot, 'nothing may stand here');
  if (!isTable(schema)) return;
  const below = { path: spot.path, depth: spot.depth + 1 };
  checkRef(value, schema, check, below);
  const isNull = value === null && own(schema, 'nullable') === true;
  if (!isNull) {
    checkChoices(value, schema, check, spot);
    checkKind(value, schema, check, spot);
  }
  checkCombinations(value, schema, check, below);
}

function checkRef(value: unknown, schema: Written, check: Check, spot: Spot): void {
  const ref = own(schema, '$ref') ?? own(schema, '$dynamicRef') ?? own(schema, '$recursiveRef');
  if (ref === undefined) return;
  let target: unknown;
  try {
    target = followRef(ref, check.root);
  } catch (error) {
    if (error instanceof SchemaProblem) return;
    throw error;
  }
  checkValue(value, target, check, spot);
}

function checkChoices(value: unknown, schema: Written, check: Check, spot: Spot): void {
  const choices = own(schema, 'enum');
  if (Array.isArray(choices)) {
    check.steps -= choices.length;
    const text = canonicalJson(value);
    if (!choices.some((choice) => canonicalJson(choice) === text))
      misfit(check, spot, `it must be one of ${listed(choices)}`);
  }
  const only = own(schema, 'const');
  if (only !== undefined && canonicalJson(only) !== canonicalJson(value))
    misfit(check, spot, `it must be ${short(only)}`);
}

function listed(choices: readonly unknown[]): string {
  const shown = choices.slice(0, 10).map(short).join(', ');
  return choices.length > 10 ? `${shown} and ${choices.length - 10} more` : shown;
}

function short(value: unknown): string {
  return (JSON.stringify(value) ?? '').slice(0, 100);
}

function checkCombinations(value: unknown, schema: Written, check: Check, spot: Spot): void {
  for (const part of listOf(schema, 'allOf')) checkValue(value, part, check, spot);
  for (const key of ['anyOf', 'oneOf'] as const) {
    const forms = listOf(schema, key);
    if (forms.length > 0) checkForms(value, { key, forms }, check, spot);
  }
  const never = own(schema, 'not');
  if (never !== undefined && trial(value, never, check, spot).length === 0)
    misfit(check, spot, 'it is what the schema excludes by "not"');
  const condition = own(schema, 'if');
  if (condition === undefined) return;
  const then = own(schema, trial(value, condition, check, spot).length === 0 ? 'then' : 'else');
  if (then !== undefined) checkValue(value, then, check, spot);
}

/** Of several forms the one that misses least is told of. */
function checkForms(
  value: unknown,
  { key, forms }: { readonly key: 'anyOf' | 'oneOf'; readonly forms: readonly unknown[] },
  check: Check,
  spot: Spot,
): void {
  let fitting = 0;
  let nearest: readonly Misfit[] | undefined;
  for (const form of forms) {
    const found = trial(value, form, check, spot);
    if (found.length === 0) fitting++;
    else if (nearest === undefined || found.length < nearest.length) nearest = found;
    if (fitting > 0 && key === 'anyOf') return;
  }
  if (fitting > 1) misfit(check, spot, `it fits ${fitting} forms of "oneOf", where it may fit only one`);
  if (fitting > 0) return;
  const [first] = nearest ?? [];
  if (first)
    misfit(check, { ...spot, path: first.path }, `${first.rule} (the nearest of ${forms.length} forms)`);
}

function listOf(schema: Written, key: string): readonly unknown[] {
  const list = own(schema, key);
  return Array.isArray(list) ? list : [];
}
