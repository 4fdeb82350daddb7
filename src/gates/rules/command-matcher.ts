import { posix } from 'node:path';
import { fail, ok, type Result } from '#base/result';
import { escapeRegExp } from '#base/text';
import { namesReader } from '#commands/classes/by-name';
import { gitWords } from '#commands/git-words';
import { understand } from '#commands/grammar';
import type { NamedCommand } from './subject';

/** How a rule matches a simple command: word by word, so a prefix ends where a word ends. */
export type CommandMatcher =
  | { readonly kind: 'exact'; readonly words: readonly string[] }
  | {
      readonly kind: 'prefix';
      readonly words: readonly string[];
      /** What is named so only reads. */
      readonly reads: boolean;
    }
  /** Only in rules that guard: `curl*`, `git * --force`. */
  | {
      readonly kind: 'glob';
      readonly pattern: RegExp;
      /** What stands before its first star. */
      readonly head: string;
    };

/**
 * `git status` is exact; `git status:*` and `git status *` take any further words. A star elsewhere is a wildcard in a
 * rule that guards; in one that allows, a glued star at the end still ends at the word, and any other is refused.
 * A star in quotes is a plain character.
 */
export function parseCommandMatcher(
  text: string,
  strictness: 'allow' | 'guard',
): Result<CommandMatcher, string> {
  const open = /^(.*?)(?::\*| \*)$/s.exec(text)?.[1];
  const body = open ?? text;
  if (!hasBareStar(body)) {
    const words = wordsOf(body);
    if (words.length === 0) return fail('no command stands in the brackets');
    return ok(open === undefined ? { kind: 'exact', words } : prefix(words));
  }
  if (strictness === 'guard')
    return ok({ kind: 'glob', pattern: globPattern(text), head: text.slice(0, text.indexOf('*')) });
  const glued = /^([^*]*[^*\s])\*$/.exec(text)?.[1];
  if (glued !== undefined && !hasBareStar(glued)) return ok(prefix(wordsOf(glued)));
  return fail('a rule that allows may have a * only at its end; write it like "git status:*"');
}

function prefix(words: readonly string[]): CommandMatcher {
  return { kind: 'prefix', words, reads: namesReader(words) };
}

/** Does a rule that guards mean these words, however they are spelled? */
export function matchesCommand(matcher: CommandMatcher, words: readonly string[]): boolean {
  return spellings(words).some((spelling) => matchesWords(matcher, spelling));
}

/**
 * Does a rule that allows take in this command? Exactly, when every word is named. By its beginning, when what may follow is no
 * worse than what it names: `find:*` and `git log:*` name what only reads, so they don't open `find -delete` or
 * `git log --output=f`; `timeout:*` names nothing that runs.
 */
export function opensCommand(matcher: CommandMatcher, command: NamedCommand): boolean {
  const { named, literal, narrow } = command;
  switch (matcher.kind) {
    case 'exact':
      return literal === named.length && matcher.words.length === literal && startsWith(named, matcher.words);
    case 'prefix':
      return (
        !narrow &&
        startsWith(named.slice(0, literal), matcher.words) &&
        (command.class === 'read-only' || !matcher.reads)
      );
    case 'glob':
      return !narrow && literal === named.length && matcher.pattern.test(named.join(' '));
  }
}

/** Whether a guard could match once the shell has expanded what it expands: `git $1` may be `git push`. */
export function mayMatchCommand(matcher: CommandMatcher, words: readonly string[]): boolean {
  const open = words.findIndex((word) => /[$`*?[{~]/.test(word));
  if (open < 0) return false;
  if (open === 0) return true;
  return spellings(words.slice(0, open)).some((known) => mayComplete(matcher, known));
}

/** Could these words be the beginning of what is guarded? */
function mayComplete(matcher: CommandMatcher, known: readonly string[]): boolean {
  if (matcher.kind !== 'glob') return startsWith(matcher.words, known);
  const text = `${known.join(' ')} `;
  return text.startsWith(matcher.head) || matcher.head.startsWith(text);
}

function matchesWords(matcher: CommandMatcher, words: readonly string[]): boolean {
  switch (matcher.kind) {
    case 'exact':
      return matcher.words.length === words.length && startsWith(words, matcher.words);
    case 'prefix':
      return startsWith(words, matcher.words);
    case 'glob':
      return matcher.pattern.test(words.join(' '));
  }
}

function startsWith(words: readonly string[], head: readonly string[]): boolean {
  return head.length <= words.length && head.every((word, index) => words[index] === word);
}

/** More options than this stand before no subcommand. */
const MOST_OPTIONS = 12;

/**
 * `git -C . push` and `npm --silent publish` without what stands before the subcommand. Of git it is known which options take a
 * word; of others each is tried alone and with a value.
 */
function withoutOptions(words: readonly string[]): readonly (readonly string[])[] {
  const [head = '', ...rest] = words;
  if (head === 'git') {
    const own = gitWords(rest).rest;
    return own.length === rest.length || own.length === 0 ? [words] : [words, [head, ...own]];
  }
  const shorter: (readonly string[])[] = [];
  for (let at = 0; at < Math.min(rest.length, MOST_OPTIONS); at++) {
    const isOption = /^-./.test(rest[at] ?? '');
    if (!isOption && !/^-./.test(rest[at - 1] ?? '')) break;
    shorter.push([head, ...rest.slice(at + 1)]);
  }
  return [words, ...shorter.filter((each) => each.length > 1)];
}

/** A guard sees `/usr/bin/curl` and `CURL` as `curl`: some file systems don't tell letters' case apart. */
function spellings(words: readonly string[]): readonly (readonly string[])[] {
  const [head = '', ...rest] = words;
  const name = posix.basename(head.replaceAll('\\', '/'));
  const heads = new Set([head, name, name.toLowerCase(), name.replace(/\.exe$/i, '').toLowerCase()]);
  return [...heads].flatMap((first) => withoutOptions([first, ...rest]));
}

function wordsOf(text: string): readonly string[] {
  const single = understand(text, 'bash').single;
  return single ? single.words.map((word) => word.text) : text.split(/\s+/).filter((word) => word !== '');
}

function hasBareStar(text: string): boolean {
  return text.replace(/'[^']*'|"[^"]*"|\\./gs, '').includes('*');
}

/** The trailing `:*` or ` *` of a prefix makes the further words optional. */
function globPattern(text: string): RegExp {
  const open = /^(.*?)(?::\*| \*)$/s.exec(text)?.[1];
  const body = (open ?? text).split(/\*+/).map(escapeRegExp);
  return new RegExp(`^${body.join('.*')}${open === undefined ? '' : '(?: .*)?'}$`, 's');
}
