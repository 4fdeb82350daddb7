import { posix } from 'node:path';
import { commandName, innerCommands } from '#commands/wrappers';
import { AND } from '#gates/rules/session-rules';
import type { CommandSubject, PathSubject, Subject } from '#gates/rules/subject';
import type { Ask } from './decide';

/** Rules that *allow for this session* may add, narrow to wide; the suggested one is among them. */
export interface SuggestedRules {
  readonly suggested: string;
  readonly choices: readonly string[];
}

/** Programs whose next word says what they do: a rule may name both and leave the rest open. */
const WITH_SUBCOMMANDS = new Set(
  'git npm pnpm yarn bun cargo go dotnet make just task gradle gradlew mvn mvnw pip pip3 poetry uv bundle rake composer mix swift flutter'.split(
    ' ',
  ),
);
/** Their next word only says that another follows. */
const RUN_WORDS = new Set('run run-script'.split(' '));
/** With any arguments these do anything at all, so only the exact line is offered. */
const OPEN_ENDED = new Set(
  'sh bash zsh fish dash ksh cmd powershell pwsh python python3 node deno ruby perl php lua awk gawk sed osascript env xargs eval exec source . find fd ssh scp rsync curl wget nc socat npx pnpx bunx uvx dlx rm mv cp dd chmod chown ln tee install cd docker kubectl gh terraform make just rake'.split(
    ' ',
  ),
);
const LONGEST_WORD = 200;

/** The rules for what is asked about; undefined where no rule could answer all of it. */
export function suggestRules(tool: string, asks: readonly Ask[]): SuggestedRules | undefined {
  if (asks.length === 0 || asks.some((ask) => !ask.ruleable || !ask.subject)) return undefined;
  const subjects = asks.flatMap((ask) => ask.subject ?? []);
  const command = subjects.find((subject) => subject.kind === 'command');
  const network = subjects.find((subject) => subject.kind === 'network');
  const others = subjects.filter((subject) => subject.kind !== 'command' && subject.kind !== 'network');
  if (command || network) return others.length > 0 ? undefined : commandRules(tool, command, network);
  const paths = subjects.filter((subject) => subject.kind === 'path');
  if (paths.length === subjects.length)
    return pathRules(
      tool,
      paths,
      asks.some((ask) => ask.concern),
    );
  const [only] = subjects;
  if (subjects.length === 1 && only?.kind === 'host') return same(`WebFetch(domain:${only.host})`);
  return subjects.every((subject) => subject.kind === 'tool') ? same(tool) : undefined;
}

/** Both the command and its network may be asked; then one answer adds a rule for each, and shows both. */
function commandRules(
  tool: string,
  command: CommandSubject | undefined,
  network: (Subject & { kind: 'network' }) | undefined,
): SuggestedRules | undefined {
  const [words] = (command ?? network)?.spellings ?? [];
  if (words === undefined || words.some((word) => word.length > LONGEST_WORD || word.includes('\n')))
    return undefined;
  const matchers = matchersFor(words);
  if (matchers.choices.some((matcher) => matcher.includes(`)${AND}@`))) return undefined;
  const ruleFor = (matcher: string) =>
    [...(command ? [`${tool}(${matcher})`] : []), ...(network ? [`@network(${matcher})`] : [])].join(AND);
  return { suggested: ruleFor(matchers.suggested), choices: matchers.choices.map(ruleFor) };
}

/** Exactly this command; its subcommand with any arguments; the program with any arguments. */
function matchersFor(words: readonly string[]): SuggestedRules {
  const [head = ''] = words;
  const exact = words.map(quoteWord).join(' ');
  const program = commandName(head);
  if (innerCommands(words).length > 0) return same(exact);
  const prefix = subcommand(program, words);
  const narrow = prefix === undefined ? [exact] : [exact, `${prefix.map(quoteWord).join(' ')}:*`];
  const wide = OPEN_ENDED.has(program) || !isPlainWord(program) ? [] : [`${quoteWord(head)}:*`];
  return { suggested: narrow.at(-1) ?? exact, choices: [...new Set([...narrow, ...wide])] };
}

/** `npm test` of `npm test -- parser`, `npm run build` of `npm run build --silent`. */
function subcommand(program: string, words: readonly string[]): readonly string[] | undefined {
  if (!WITH_SUBCOMMANDS.has(program)) return undefined;
  const prefix = words.slice(0, RUN_WORDS.has(words[1] ?? '') ? 3 : 2);
  const isWhole = prefix.length >= 2 && !RUN_WORDS.has(prefix.at(-1) ?? '');
  return isWhole && prefix.slice(1).every(isPlainWord) ? prefix : undefined;
}

function isPlainWord(word: string): boolean {
  return /^[A-Za-z0-9][\w:.-]*$/.test(word);
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) && !word.endsWith(':') ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** What is protected or secret is allowed by its own name only. */
function pathRules(
  tool: string,
  paths: readonly PathSubject[],
  unusual: boolean,
): SuggestedRules | undefined {
  if (paths.some((subject) => subject.via === 'command')) return undefined;
  const folders = [...new Set(paths.map((subject) => posix.dirname(subject.path)))];
  const [first] = paths;
  const [folder] = folders;
  if (first === undefined || folder === undefined) return undefined;
  const exact =
    new Set(paths.map((subject) => subject.path)).size === 1
      ? [`${tool}(./${quotePattern(first.path)})`]
      : [];
  if (unusual) return exact[0] === undefined ? undefined : same(exact[0]);
  const near = folders.length === 1 && folder !== '.' ? [`${tool}(./${quotePattern(folder)}/**)`] : [];
  return { suggested: near[0] ?? exact[0] ?? tool, choices: [...exact, ...near, tool] };
}

function quotePattern(path: string): string {
  return path.replace(/[\\*?[\]!#]/g, '\\$&').replace(/ $/, '\\ ');
}

function same(rule: string): SuggestedRules {
  return { suggested: rule, choices: [rule] };
}
