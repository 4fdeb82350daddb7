const LONGEST_PATTERN = 300;
/** Texts that are longer are left for the server to judge. In UTF-16 units. */
const LONGEST_TEXT = 500;
/** So many open repetitions take at most a cube of the text's length in steps; a start that isn't fixed is one of them. */
const MOST_REPETITIONS = 3;
/** So many steps of a regular expression take as long as one of a check. */
const STEPS_IN_ONE = 100;
const LARGE_COUNT = 10;

/**
 * Whether a text matches a server's pattern; undefined where that isn't tried. A regular expression of others can take longer than the
 * universe lasts, so only those are run that surely end soon: no repeated group, no look around, no reference back, few open repetitions.
 */
export function matchesPattern(pattern: unknown, text: string): boolean | undefined {
  if (typeof pattern !== 'string' || text.length > LONGEST_TEXT || !endsSoon(pattern)) return undefined;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return undefined;
  }
}

/** What such a match may cost at most, in steps of a check. */
export function patternCost(pattern: unknown, text: string): number {
  if (typeof pattern !== 'string' || text.length > LONGEST_TEXT || !endsSoon(pattern)) return 0;
  return Math.ceil(text.length ** repetitions(bareOf(pattern)) / STEPS_IN_ONE);
}

function endsSoon(pattern: string): boolean {
  if (pattern.length > LONGEST_PATTERN || /\\[1-9k]/.test(pattern)) return false;
  const bare = bareOf(pattern);
  return !/\(\?(?!:)/.test(bare) && !/\)[*+{]/.test(bare) && repetitions(bare) <= MOST_REPETITIONS;
}

/** Without what is escaped or stands in brackets. */
function bareOf(pattern: string): string {
  return pattern.replace(/\\./gs, 'x').replace(/\[[^\]]*\]/g, 'x');
}

function repetitions(bare: string): number {
  const open = bare.match(/[*+]|\{\d*,\}/g)?.length ?? 0;
  const counts = [...bare.matchAll(/\{\d*,?(\d+)\}/g)];
  const start = bare.startsWith('^') && !bare.includes('|') ? 0 : 1;
  return start + open + counts.filter(([, most]) => Number(most) > LARGE_COUNT).length;
}
