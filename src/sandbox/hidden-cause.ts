import { IGNORE_FILE } from '#disk/ignore-files';

/** What programs say of a file that is masked: it can't be opened, nor moved away. */
const REFUSED = /Permission denied|permission denied|\bEACCES\b|\bEBUSY\b|resource busy|Errno 13/;
/** Names are quoted, or stand between blanks, or between a program's name and the reason. */
const QUOTED = /["'`‘“]([^"'`‘’“”]{1,4096})["'`’”]/g;
const PARTS = [/\s+/, /:\s+/];

/** Of long output the end tells how it ended. */
const MOST_READ = 50_000;
const MOST_LINES = 200;

/**
 * The masked file or folder that a command seems to have stumbled over, by what it printed; undefined when nothing says so. From
 * which folder it named the path isn't known, so one that ends as a mask does is taken for it. `masked`: absolute paths.
 */
export function hiddenCause(output: string, masked: readonly string[]): string | undefined {
  if (masked.length === 0) return undefined;
  const lines = output
    .slice(-MOST_READ)
    .split('\n')
    .filter((line) => REFUSED.test(line));
  for (const line of lines.slice(-MOST_LINES)) {
    for (const name of namesIn(line)) {
      const found = masked.find((mask) => speaksOf(name, mask));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The model is told once more in words, since "Permission denied" invites it to look for a way around. */
export function hiddenNote(path: string): string {
  return `${path} is hidden from commands, by ${IGNORE_FILE} or by a rule that denies reading it, which may be why it failed; go on without it, or tell the user what needs it`;
}

function namesIn(line: string): ReadonlySet<string> {
  const quoted = [...line.matchAll(QUOTED)].map(([, name = '']) => name);
  const parts = PARTS.flatMap((by) => line.split(by));
  const names = [...quoted, ...parts].map((name) => name.replace(/^[("'`‘“]+|[)"'`’”,.;:]+$/g, ''));
  return new Set(names.map((name) => name.replace(/^(\.{1,2}\/+)+/, '').replace(/\/+$/, '')).filter(Boolean));
}

/** The mask itself, or what lies in it. */
function speaksOf(name: string, mask: string): boolean {
  if (name.startsWith('/')) return name === mask || name.startsWith(`${mask}/`);
  for (let end = name.length; end > 0; end = name.lastIndexOf('/', end - 1)) {
    if (mask.endsWith(`/${name.slice(0, end)}`)) return true;
  }
  return false;
}
