/** What to look for. */
export interface PatternOptions {
  readonly pattern: string;
  readonly literal?: boolean | undefined;
  readonly ignoreCase?: boolean | undefined;
  readonly multiline?: boolean | undefined;
}

/**
 * Pattern flags. A pattern that names a line feed searches over several lines by itself, and its line feeds also match
 * CRLF. `--regexp=` keeps a pattern that begins with a dash from acting as a flag.
 */
export function patternArguments(options: PatternOptions): string[] {
  const { pattern, literal, ignoreCase } = options;
  const spelling = ignoreCase ? ['--ignore-case'] : [];
  // Where line ends may be CRLF, ripgrep takes no pattern that names a carriage return.
  const inLine = /\r|\\r/.test(pattern) ? spelling : ['--crlf', ...spelling];
  if (literal && !pattern.includes('\n')) return [...inLine, '--fixed-strings', `--regexp=${pattern}`];
  const regex = literal ? pattern.split(/\r?\n/).map(escapeRegex).join('\\n') : pattern;
  const spansLines = options.multiline === true || /\n|\\n/.test(regex);
  if (!spansLines) return [...inLine, `--regexp=${regex}`];
  return ['--crlf', ...spelling, '--multiline', `--regexp=${matchAnyLineEnd(regex)}`];
}

/** Whether it may have been meant as plain text: brackets without an escape are often a call or an index. */
export function looksLiteral(options: PatternOptions): boolean {
  return options.literal !== true && /[([{]/.test(options.pattern) && !options.pattern.includes('\\');
}

/** Lets every `\n` outside a character class match CRLF as well. */
function matchAnyLineEnd(regex: string): string {
  let inClass = false;
  return regex.replace(/\\[\s\S]|[\s\S]/g, (token) => {
    if (token === '[') inClass = true;
    else if (token === ']') inClass = false;
    return (token === '\\n' || token === '\n') && !inClass ? '(?:\\r?\\n)' : token;
  });
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|#&\-~]/g, '\\$&');
}
