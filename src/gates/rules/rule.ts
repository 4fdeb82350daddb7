import { fail, ok, type Result } from '#base/result';
import { revealInvisible, truncate } from '#base/text';
import { CAPABILITIES, type Capability, RISKS, type Risk } from '#protocol/tool-call';
import { MCP_PREFIX } from '#tools/legal-name';
import { type CommandMatcher, parseCommandMatcher } from './command-matcher';
import { type PathPattern, type PatternBases, parsePathPattern } from './path-pattern';
import { mcpWord } from './tool-names';

/** `deny` and `ask` guard: when in doubt they hit. `allow` opens: when in doubt it doesn't. */
export type RuleKind = 'deny' | 'allow' | 'ask';

/** One rule as a person wrote it: `Tool` or `Tool(matcher)`. */
export interface Rule {
  readonly text: string;
  readonly target: RuleTarget;
  /** Absent: any. */
  readonly matcher?: Matcher;
  /** The file and the line that it stands in, for people. */
  readonly origin?: RuleOrigin;
}

/** Where a rule stands. */
export interface RuleOrigin {
  /** ".belay/settings.json" */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** What the place of a rule says about its meaning. */
export interface RuleReading extends PatternBases {
  readonly origin?: RuleOrigin;
  /** Claude Code's files may have a star anywhere in a command. */
  readonly dialect?: 'belay' | 'claude';
}

/** The matcher's text read in each way it may be meant; which one counts depends on the subject it meets. */
export interface Matcher {
  readonly text: string;
  readonly command?: CommandMatcher;
  readonly path?: PathPattern;
}

/** What stands where a tool's name stands. */
export type RuleTarget =
  | { readonly kind: 'tool'; readonly name: string }
  /** `Bash`: every command, whichever tool runs it. */
  | { readonly kind: 'command' }
  /** `Read`, `Edit`, `Write`: every such access to a path, whichever tool or command makes it. */
  | { readonly kind: 'path'; readonly access: 'read' | 'write' }
  /** `WebFetch`: every host that is reached. */
  | { readonly kind: 'host' }
  | { readonly kind: 'capability'; readonly capability: Capability }
  | { readonly kind: 'risk'; readonly risk: Risk };

const LONGEST = 4000;
/** Their matchers are command lines; other tools' are paths. */
const COMMAND_TOOLS: ReadonlySet<string> = new Set(['run_command', 'start_command', 'command_input']);
const ALIASES: ReadonlyMap<string, RuleTarget> = new Map<string, RuleTarget>([
  ['Bash', { kind: 'command' }],
  ['Read', { kind: 'path', access: 'read' }],
  ['Edit', { kind: 'path', access: 'write' }],
  ['MultiEdit', { kind: 'path', access: 'write' }],
  ['Write', { kind: 'path', access: 'write' }],
  ['NotebookEdit', { kind: 'path', access: 'write' }],
  ['NotebookRead', { kind: 'path', access: 'read' }],
  ['WebFetch', { kind: 'host' }],
  ['Grep', { kind: 'tool', name: 'search_files' }],
  ['Glob', { kind: 'tool', name: 'glob_files' }],
  ['LS', { kind: 'tool', name: 'glob_files' }],
  ['TodoWrite', { kind: 'tool', name: 'todo_write' }],
  ['WebSearch', { kind: 'tool', name: 'web_search' }],
  ['Task', { kind: 'tool', name: 'delegate_task' }],
  ['Agent', { kind: 'tool', name: 'delegate_task' }],
  ['Skill', { kind: 'tool', name: 'skill_view' }],
  ['BashOutput', { kind: 'tool', name: 'command_output' }],
  ['KillShell', { kind: 'tool', name: 'cancel_command' }],
  ['ExitPlanMode', { kind: 'tool', name: 'exit_plan' }],
  ['AskUserQuestion', { kind: 'tool', name: 'ask_user' }],
]);

/** Reads a rule; the error is a sentence for the person who wrote it. */
export function parseRule(text: string, kind: RuleKind, reading: RuleReading = {}): Result<Rule, string> {
  const wrong = (why: string) => fail(`the ${kind} rule ${quoted(text)} can't be read: ${why}`);
  const trimmed = text.trim();
  if (trimmed === '') return wrong('it is empty');
  if (trimmed.length > LONGEST) return wrong(`it is longer than ${LONGEST} characters`);
  const open = bracketOf(trimmed);
  const name = open < 0 ? trimmed : trimmed.slice(0, open).trimEnd();
  const target = parseTarget(name);
  if (!target.ok) return wrong(target.error);
  const { origin } = reading;
  const rule = { text: trimmed, target: target.value, ...(origin ? { origin } : {}) };
  if (open < 0) return ok(rule);
  if (!trimmed.endsWith(')')) return wrong('the closing bracket is missing');
  const inside = trimBlanks(trimmed.slice(open + 1, -1));
  if (trimmed.startsWith(MCP_PREFIX) && !/^:?\*$/.test(inside))
    return wrong('tools of MCP servers take no brackets; name the tool alone');
  const matcher = parseMatcher(inside, { kind, target: target.value, reading });
  if (!matcher.ok) return wrong(matcher.error);
  return ok(matcher.value === undefined ? rule : { ...rule, matcher: matcher.value });
}

/** Whether rules mean tools of ours by that name: no tool of others may have it. */
export function isAlias(name: string): boolean {
  return ALIASES.has(name);
}

/** Where the brackets begin; the name of an MCP server or of its tool may hold some of its own. */
function bracketOf(text: string): number {
  return text.startsWith(MCP_PREFIX) && !text.endsWith(')') ? -1 : text.indexOf('(');
}

/** What a word in a tool's place names; the error is for the person who wrote it. */
export function parseTarget(name: string): Result<RuleTarget, string> {
  const alias = ALIASES.get(name);
  if (alias) return ok(alias);
  if (name.startsWith('@')) {
    const capability = CAPABILITIES.find((known) => known === name.slice(1));
    if (capability) return ok({ kind: 'capability', capability });
    return fail(
      `there is no capability ${quoted(name)}; there are ${CAPABILITIES.map((c) => `@${c}`).join(', ')}`,
    );
  }
  if (name.startsWith('risk:')) {
    const risk = RISKS.find((known) => known === name.slice('risk:'.length));
    if (risk) return ok({ kind: 'risk', risk });
    return fail(`there is no risk ${quoted(name)}; there are ${RISKS.map((r) => `risk:${r}`).join(', ')}`);
  }
  if (name.startsWith(MCP_PREFIX)) {
    const word = mcpWord(name);
    return word.ok ? ok({ kind: 'tool', name: word.value }) : word;
  }
  if (!/^[A-Za-z][A-Za-z0-9_-]*\*?$/.test(name)) return fail(`${quoted(name)} is not the name of a tool`);
  return ok({ kind: 'tool', name });
}

/** `*` means any, as no brackets do; empty brackets are a slip. */
function parseMatcher(
  text: string,
  { kind, target, reading }: { kind: RuleKind; target: RuleTarget; reading: RuleReading },
): Result<Matcher | undefined, string> {
  if (text === '') return fail('the brackets are empty; leave them out to mean any');
  if (text === '*' || text === ':*') return ok(undefined);
  const command = parseCommand(text, kind, reading);
  const path = parsePathPattern(kind === 'allow' ? anchored(text, target) : text, reading);
  const [wanted, other] = speaksOfCommands(target) ? [command, path] : [path, command];
  if (!wanted.ok && (isDefinite(target) || !other.ok)) return wanted;
  return ok({
    text,
    ...(command.ok ? { command: command.value } : {}),
    ...(path.ok ? { path: path.value } : {}),
  });
}

/** In Claude Code's dialect a star may stand anywhere but in the program's own name: that would allow any program. */
function parseCommand(
  text: string,
  kind: RuleKind,
  { dialect }: RuleReading,
): ReturnType<typeof parseCommandMatcher> {
  if (kind !== 'allow') return parseCommandMatcher(text, 'guard');
  const strict = parseCommandMatcher(text, 'allow');
  const named = /^[^\s*]+\s/.test(text);
  return strict.ok || dialect !== 'claude' || !named ? strict : parseCommandMatcher(text, 'guard');
}

function speaksOfCommands(target: RuleTarget): boolean {
  return (
    target.kind === 'command' ||
    target.kind === 'capability' ||
    (target.kind === 'tool' && COMMAND_TOOLS.has(target.name))
  );
}

/** Whether only one reading of a matcher makes sense behind this target. */
function isDefinite(target: RuleTarget): boolean {
  return target.kind === 'command' || target.kind === 'path' || target.kind === 'tool';
}

/** `write_file(a.txt)` allows that one file, where `Edit(a.txt)` speaks gitignore and means the name at any depth. */
function anchored(text: string, target: RuleTarget): string {
  return target.kind === 'tool' && /^[^/*?[\]!~]+$/.test(text) ? `./${text}` : text;
}

/** A blank at the end counts when it is escaped. */
function trimBlanks(text: string): string {
  return text.trimStart().replace(/(?<!\\)\s+$/, '');
}

function quoted(text: string): string {
  return `"${truncate(revealInvisible(text), 100)}"`;
}
