import { hasInvisible } from '#base/text';
import type { ShellKind, SimpleCommand, Understanding } from './shell-words';
import { readSyntax, type Syntax } from './syntax';

/** A longer line is never understood. In UTF-16 units. */
const LONGEST_UNDERSTOOD = 4000;
/** Beyond these the parser takes seconds: such a line isn't parsed at all. */
const LONGEST_PARSED = 65_536;
const MOST_SUBSTITUTIONS = 1000;

/** Why nothing at all is known of a line: nobody can judge it. */
export const UNPARSED = 'it is too long or too deeply nested to be judged';

/**
 * Reads one command line by a real shell grammar. Never throws: what isn't wholly understood says so and still gives
 * every simple command that was found. PowerShell and cmd have no commands here.
 */
export function understand(line: string, shell: ShellKind): Understanding {
  const doubt = refusal(line, shell);
  if (shell === 'powershell' || shell === 'cmd') return nothing(doubt ?? 'not a POSIX shell');
  if (line.length > LONGEST_PARSED || substitutions(line) > MOST_SUBSTITUTIONS) return nothing(UNPARSED);
  try {
    return conclude(readSyntax(line), doubt);
  } catch (error) {
    if (error instanceof RangeError) return nothing(UNPARSED);
    throw error;
  }
}

function conclude({ steps, doubts, shape, inOrder }: Syntax, doubt: string | undefined): Understanding {
  const commands = steps.flatMap((step) => (step.kind === 'command' ? [step.command] : []));
  const redirects = commands.flatMap((command) => command.redirects);
  // Of descriptors only `N>&M` is seen by parser and shell alike.
  const odd = redirects.find(({ op, source }) => /^[<>]&|^\{/.test(op) && !/^\d?>&\d$/.test(source));
  const empty = commands.some((command) => command.words.length > 0)
    ? undefined
    : 'there is no command in it';
  const why = doubt ?? doubts[0] ?? (odd && `the redirect ${odd.source}`) ?? empty;
  const [only] = commands;
  const isSingle =
    shape === 'command' && why === undefined && commands.length === 1 && only !== undefined && isPlain(only);
  return {
    understood: why === undefined,
    ...(why === undefined ? {} : { why }),
    commands,
    redirects,
    ...(isSingle ? { single: only } : {}),
    shape,
    inOrder,
    steps,
  };
}

/** What the parser is known to see differently than a shell, or a person than both. */
function refusal(line: string, shell: ShellKind): string | undefined {
  if (shell !== 'bash' && shell !== 'sh') return 'its shell is neither bash nor sh';
  if (line.length > LONGEST_UNDERSTOOD) return `it is longer than ${LONGEST_UNDERSTOOD} characters`;
  if (hasInvisible(line)) return 'it has control characters or odd spaces';
  if (/\\\n|(?<!\\)(\\\\)*\\$/.test(line)) return 'it has a line continuation';
  return undefined;
}

function nothing(why: string): Understanding {
  return { understood: false, why, commands: [], redirects: [], shape: 'other', inOrder: false, steps: [] };
}

function substitutions(line: string): number {
  return line.match(/[$<>]\(|\$\{|`/g)?.length ?? 0;
}

/** A name in quotes or escapes is written to be misread: no rule opens it. */
function isPlain(command: SimpleCommand): boolean {
  const [head] = command.words;
  return (
    head !== undefined &&
    head.source === head.text &&
    command.words.every((word) => word.literal) &&
    command.assignments.length === 0 &&
    command.redirects.length === 0
  );
}
