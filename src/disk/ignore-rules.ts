import ignore, { type Ignore } from 'ignore';

/** What one `.belayignore` hides of the folder it lies in. */
export interface IgnoreRules {
  /** `path`: below that folder, `/`-separated; a folder's ends in a slash. */
  hides(path: string): boolean;
  /** Why the file can't be used, as the rest of a sentence. Everything in the folder is hidden then. */
  readonly problem?: string;
}

/** More bytes are no list that a person keeps. */
export const LARGEST_RULES = 256 * 1024;
/** Each is tried on each path. */
const MOST_PATTERNS = 2000;
/** With each one more the time that a hostile path takes grows by its length. */
const MOST_GLOBSTARS = 2;

/**
 * Reads gitignore's language. Letters' case and composition don't count: this only restricts. Undefined: there is no
 * pattern in it. What can't be read as meant hides everything, because nobody knows what it was to hide.
 */
export function ignoreRules(bytes: Uint8Array): IgnoreRules | undefined {
  if (bytes.length > LARGEST_RULES) return unusable('is larger than 256 KB');
  const text = decoded(bytes);
  if (text === undefined) return unusable('is not text in UTF-8');
  const lines = text.split(/\r?\n/);
  const patterns = lines.filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (patterns.length === 0) return undefined;
  if (patterns.length > MOST_PATTERNS) return unusable(`has more than ${MOST_PATTERNS} patterns`);
  const slow = lines.findIndex((line) => line.split(/\*\*+/).length - 1 > MOST_GLOBSTARS);
  if (slow >= 0) return unusable(`has more than two ** in line ${slow + 1}`);
  try {
    return rulesOf(ignore({ ignorecase: true }).add(patterns));
  } catch {
    return unusable('has a pattern that is none');
  }
}

/** Rules of a file that can't be used. */
export function unusable(problem: string): IgnoreRules {
  return { problem, hides: () => true };
}

function rulesOf(matcher: Ignore): IgnoreRules {
  return {
    hides(path) {
      try {
        return matcher.ignores(path.normalize('NFC'));
      } catch {
        return true;
      }
    },
  };
}

/** Composed letters, without a mark at the beginning; undefined for what isn't text. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).normalize('NFC');
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
