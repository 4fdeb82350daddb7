import { resolve } from '#models/demo/fix/places';

/** What an import means to a trial. */
export type Source =
  | { readonly kind: 'built-in' | 'unsupported'; readonly name: string }
  | { readonly kind: 'json' | 'commonjs' | 'module'; readonly name: string; readonly text: string };

/** The project as far as it was read. */
export interface Project {
  readonly texts: ReadonlyMap<string, string>;
  readonly listing: readonly string[];
}

const BUILT_IN = /^(?:node:)?(assert|assert\/strict)$|^node:(test)$/;

export function sourceOf(from: string, specifier: string, { texts, listing }: Project): Source {
  const [, name, test] = BUILT_IN.exec(specifier) ?? [];
  if (name || test) return { kind: 'built-in', name: name ?? 'test' };
  const path = /^\.{1,2}\//.test(specifier) ? resolve(from, specifier, listing) : undefined;
  const text = path === undefined ? undefined : texts.get(path);
  if (path === undefined || text === undefined) return { kind: 'unsupported', name: specifier };
  return { kind: kindOf(path, text), name: path, text };
}

export function kindOf(path: string, text: string): 'json' | 'commonjs' | 'module' {
  if (path.endsWith('.json')) return 'json';
  if (path.endsWith('.cjs')) return 'commonjs';
  const imports = /^[ \t]*(?:import\b(?!\s*\()|export\b)/m.test(text);
  return !imports && /\brequire\s*\(|\bexports\b/.test(text) && !path.endsWith('.mjs')
    ? 'commonjs'
    : 'module';
}

/** Names that a CommonJS module exports, as far as its text tells: what Node offers to an `import { name }`. */
export function exportedNames(text: string): readonly string[] {
  const single = [...text.matchAll(/\bexports\.([A-Za-z_$][\w$]*)\s*=(?!=)/g)].map(([, name = '']) => name);
  const object = /\bmodule\.exports\s*=\s*\{([^{}]*)/.exec(text)?.[1] ?? '';
  const together = object
    .split(',')
    .map((part) => /^\s*([A-Za-z_$][\w$]*)\s*(?:[:(]|$)/.exec(part)?.[1] ?? '');
  return [...new Set([...single, ...together])].filter((name) => name !== '' && name !== 'default');
}
