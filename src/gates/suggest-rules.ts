import { posix } from 'node:path';
import { hasInvisible } from '#base/text';
import { commandName } from '#commands/inner';
import { innerCommands } from '#commands/wrappers';
import { AND } from '#gates/rules/session-rules';
import type {
  CallFacts,
  CommandSubject,
  NamedCommand,
  NetworkSubject,
  PathSubject,
  Subject,
} from '#gates/rules/subject';
import { ruleWords } from '#gates/rules/tool-names';
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
export function suggestRules(
  facts: Pick<CallFacts, 'tool' | 'mcp'>,
  asks: readonly Ask[],
): SuggestedRules | undefined {
  const { tool } = facts;
  if (asks.length === 0 || asks.some((ask) => !ask.ruleable || !ask.subject)) return undefined;
  const subjects = asks.flatMap((ask) => ask.subject ?? []);
  const command = onlyOne(subjects.filter((subject) => subject.kind === 'command'));
  const network = onlyOne(subjects.filter((subject) => subject.kind === 'network'));
  if (command === 'several' || network === 'several') return undefined;
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
  return subjects.every((subject) => subject.kind === 'tool') ? toolRules(facts) : undefined;
}

/** The tool; of an MCP server also the whole server, which includes what it may offer later. */
function toolRules(facts: Pick<CallFacts, 'tool' | 'mcp'>): SuggestedRules {
  const { tool, server } = ruleWords(facts);
  return { suggested: tool, choices: server === undefined ? [tool] : [tool, server] };
}

/** One command however often it stands on the line; several can't be answered by one rule. */
function onlyOne<S extends CommandSubject | NetworkSubject>(found: readonly S[]): S | undefined | 'several' {
  const [first] = found;
  const isSame = ({ named }: S) => named.join('\0') === first?.named.join('\0');
  return found.every(isSame) ? first : 'several';
}

/** Both the command and its network may be asked; then one answer adds a rule for each, and shows both. */
function commandRules(
  tool: string,
  command: CommandSubject | undefined,
  network: (Subject & { kind: 'network' }) | undefined,
): SuggestedRules | undefined {
  const asked = command ?? network;
  if (asked === undefined) return undefined;
  const words = asked.named.slice(0, asked.literal);
  if (words.some((word) => word.length > LONGEST_WORD || word.includes('\n'))) return undefined;
  const matchers = matchersFor(asked);
  if (matchers === undefined) return undefined;
  if (matchers.choices.some((matcher) => matcher.includes(`)${AND}@`))) return undefined;
  const ruleFor = (matcher: string) =>
    [...(command ? [`${tool}(${matcher})`] : []), ...(network ? [`@network(${matcher})`] : [])].join(AND);
  return { suggested: ruleFor(matchers.suggested), choices: matchers.choices.map(ruleFor) };
}

/** Exactly this command; its subcommand with any arguments; the program with any arguments. */
function matchersFor({ named: words, literal, narrow, spellings }: NamedCommand): SuggestedRules | undefined {
  const [head = ''] = words;
  const exact = words.map(quoteWord).join(' ');
  const program = commandName(head);
  if (literal < words.length) return beginnings(words.slice(0, literal));
  // Variables before it, a wrapper, something that destroys: nothing but this very line.
  if (narrow || words.length !== spellings[0]?.length || innerCommands(words).length > 0) return same(exact);
  const prefix = subcommand(program, words);
  const near = prefix === undefined ? [exact] : [exact, `${prefix.map(quoteWord).join(' ')}:*`];
  const wide = OPEN_ENDED.has(program) || !isPlainWord(program) ? [] : [`${quoteWord(head)}:*`];
  return { suggested: near.at(-1) ?? exact, choices: [...new Set([...near, ...wide])] };
}

/** What follows is only known when it runs: the subcommand with anything behind it, if that much is known. */
function beginnings(words: readonly string[]): SuggestedRules | undefined {
  const prefix = subcommand(commandName(words[0] ?? ''), words);
  return prefix && same(`${prefix.map(quoteWord).join(' ')}:*`);
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
  if (paths.some((subject) => subject.via === 'command' || !isWritable(subject.path))) return undefined;
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

/** What a person reads must be the rule that is kept: no line of its own, nothing unseen, no second rule behind it. */
function isWritable(path: string): boolean {
  return !path.includes('\n') && !hasInvisible(path) && !path.includes(`)${AND}`);
}

function quotePattern(path: string): string {
  return path.replace(/[\\*?[\]!#]/g, '\\$&').replace(/ $/, '\\ ');
}

function same(rule: string): SuggestedRules {
  return { suggested: rule, choices: [rule] };
}
