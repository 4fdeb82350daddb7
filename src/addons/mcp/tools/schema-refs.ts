import { t } from '#base/l10n';

/** Others' JSON Schema, of which nothing is known. */
export type Written = Readonly<Record<string, unknown>>;

/** A schema that can't be understood; `message` is the end of a sentence for people. */
export class SchemaProblem extends Error {
  override readonly name = 'SchemaProblem';
}

export function isTable(value: unknown): value is Written {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a keyword holds; never what every object of the language has by itself. */
export function own(table: Written, key: string): unknown {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/**
 * What a reference inside one schema leads to: `#`, `#/$defs/x`, or the name of an `$anchor` among the definitions. Nothing is ever
 * fetched: a reference to elsewhere is a problem.
 */
export function followRef(ref: unknown, root: unknown): unknown {
  if (typeof ref !== 'string') throw new SchemaProblem(t('a $ref in it is no text'));
  if (ref === '#') return root;
  if (!ref.startsWith('#')) {
    if (isTable(root) && own(root, '$id') === ref) return root;
    throw new SchemaProblem(
      t('it refers to a schema elsewhere ({0}), which is not fetched', ref.slice(0, 200)),
    );
  }
  const found = ref.startsWith('#/') ? pointed(ref.slice(2), root) : anchored(ref.slice(1), root);
  if (found === undefined)
    throw new SchemaProblem(t('it refers to {0}, which isn’t in it', ref.slice(0, 200)));
  return found;
}

function pointed(pointer: string, root: unknown): unknown {
  let at: unknown = root;
  for (const part of pointer.split('/')) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = /^\d{1,6}$/.test(key) ? (at as readonly unknown[])[Number(key)] : undefined;
    else at = isTable(at) ? own(at, key) : undefined;
  }
  return at;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function anchored(name: string, root: unknown): unknown {
  if (!isTable(root)) return undefined;
  const tables = [own(root, '$defs'), own(root, 'definitions')].filter(isTable);
  return tables
    .flatMap((table) => Object.values(table))
    .find((schema) => isTable(schema) && own(schema, '$anchor') === name);
}
