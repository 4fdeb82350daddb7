import ignore, { type Ignore } from 'ignore';

/** Whether a file's bytes may differ between git and the disk, by one file of attributes; more often yes than git itself would say. */
export interface Conversions {
  /** `path`: relative to the folder of the file, `/`-separated. */
  may(path: string): boolean;
}

/** Attributes that change bytes, when they are set. */
const CONVERTING = /^(text|crlf|eol|ident|filter|working-tree-encoding)(=|$)/;

const ALL: Conversions = { may: () => true };

/** Undefined when nothing in it converts. What isn't understood counts as converting everything. */
export function conversionsOf(text: string): Conversions | undefined {
  const macros = new Set<string>();
  const patterns: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    // A quoted pattern has escapes of its own.
    if (trimmed.startsWith('"')) return ALL;
    const [pattern = '', ...attributes] = trimmed.split(/\s+/);
    const converts = attributes.some((name) => CONVERTING.test(name) || macros.has(name));
    if (!converts) continue;
    if (pattern.startsWith('[attr]')) macros.add(pattern.slice('[attr]'.length));
    else patterns.push(pattern);
  }
  // A macro may be used by a file farther down that doesn't say what it means.
  if (macros.size > 0) return ALL;
  return patterns.length === 0 ? undefined : matching(patterns);
}

function matching(patterns: readonly string[]): Conversions {
  try {
    const matcher: Ignore = ignore({ ignorecase: true }).add([...patterns]);
    return {
      may(path) {
        try {
          return matcher.ignores(path);
        } catch {
          return true;
        }
      },
    };
  } catch {
    return ALL;
  }
}
