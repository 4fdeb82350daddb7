import { z } from 'zod';
import { count, revealInvisible, truncate } from '#base/text';
import { parseRule } from '#gates/rules/rule';
import { HOOK_EVENTS, type Hook, type HookEvent, type HookProblem, type HookSet } from './hook';
import { parseMatcher } from './matcher';

/** Seconds a hook may take when it doesn't say, and at most. */
const DEFAULT_TIMEOUT = 60;
const LONGEST_TIMEOUT = 600;
const MOST_HOOKS = 200;

/** Moments that others have and Belay doesn't, or not yet. They are read and never run. */
const OTHER_EVENTS: ReadonlySet<string> = new Set(
  (
    'SubagentStop PostToolBatch Notification UserPromptExpansion SessionEnd StopFailure SubagentStart PostCompact ' +
    'PreModelSwitch PostModelSwitch PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted Elicitation ' +
    'ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged DirectoryAdded ' +
    'MessageDisplay PreSkillShellCommand'
  ).split(' '),
);

const mapSchema = z.record(z.string(), z.unknown());
const groupSchema = z.object({ matcher: z.string().nullish(), hooks: z.array(z.unknown()) });
const entrySchema = z.object({
  type: z.string().nullish(),
  command: z.string().nullish(),
  timeout: z.number().positive().nullish(),
  if: z.string().nullish(),
});

/**
 * Reads `hooks` of a settings file in Claude Code's shape. One broken entry doesn't lose the others; what can't be read is named,
 * and where it may have been a guard it says so.
 */
export function readHooks(value: unknown, source: string): HookSet {
  if (value === undefined || value === null) return NOTHING;
  const reader = new Reader(source);
  const events = mapSchema.safeParse(value);
  if (events.success) reader.events(unwrapped(events.data));
  else reader.problem('hooks is not an object', true);
  return { hooks: reader.hooks, problems: reader.problems };
}

const NOTHING: HookSet = { hooks: [], problems: [] };

/** A whole settings file, pasted where only its `hooks` belong. */
function unwrapped(events: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const inner = Object.keys(events).length === 1 ? mapSchema.safeParse(events['hooks']) : undefined;
  return inner?.success ? inner.data : events;
}

class Reader {
  readonly hooks: Hook[] = [];
  readonly problems: HookProblem[] = [];
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  problem(words: string, guards: boolean): void {
    this.problems.push({ source: this.#source, words, guards });
  }

  events(events: Readonly<Record<string, unknown>>): void {
    for (const [name, groups] of Object.entries(events)) {
      const event = HOOK_EVENTS.find((known) => known === name);
      if (event) this.#groups(event, groups);
      // A misspelt PreToolUse was to be a guard; who knows.
      else if (!OTHER_EVENTS.has(name)) this.problem(`hooks: there is no event ${shown(name)}`, true);
    }
  }

  #groups(event: HookEvent, groups: unknown): void {
    if (!Array.isArray(groups)) this.#wrong(event, `hooks.${event} is not a list`);
    else for (const [index, group] of groups.entries()) this.#group(event, group, `hooks.${event}[${index}]`);
  }

  #group(event: HookEvent, value: unknown, place: string): void {
    const group = groupSchema.safeParse(value);
    const matcher = parseMatcher(group.data?.matcher ?? '');
    if (!group.success) this.#wrong(event, `${place}: needs "hooks", a list, and "matcher", a text`);
    else if (!matcher.ok) this.#wrong(event, `${place}.matcher can’t be read: ${matcher.error}`);
    else
      for (const [index, entry] of group.data.hooks.entries())
        this.#entry({ event, matcher: matcher.value }, entry, `${place}.hooks[${index}]`);
  }

  #entry(given: Pick<Hook, 'event' | 'matcher'>, value: unknown, place: string): void {
    const entry = entrySchema.safeParse(value);
    const problem = entry.success ? entryProblem(entry.data) : issueWords(entry.error);
    const full = this.hooks.length >= MOST_HOOKS ? `more than ${count(MOST_HOOKS, 'hook')}` : undefined;
    if (!entry.success || problem !== undefined || full !== undefined) {
      this.#wrong(given.event, `${place}: ${problem ?? full}`);
      return;
    }
    const { command, timeout } = entry.data;
    const condition = entry.data.if ? parseRule(entry.data.if, 'ask') : undefined;
    // It then runs for every call that the matcher takes in.
    if (condition && !condition.ok) this.problem(`${place}.if: ${condition.error}`, false);
    this.hooks.push({
      ...given,
      source: this.#source,
      command: command ?? '',
      timeoutMs: Math.min(timeout ?? DEFAULT_TIMEOUT, LONGEST_TIMEOUT) * 1000,
      ...(condition?.ok ? { condition: condition.value } : {}),
    });
  }

  #wrong(event: HookEvent, words: string): void {
    this.problem(words, event === 'PreToolUse');
  }
}

function entryProblem({ type, command }: z.infer<typeof entrySchema>): string | undefined {
  if (type && type !== 'command') return `Belay runs hooks of type "command" only, not ${shown(type)}`;
  return command?.trim() ? undefined : '"command" is missing';
}

function shown(name: string): string {
  return `"${truncate(revealInvisible(name), 60)}"`;
}

function issueWords(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue ? `${issue.path.join('.') || 'the entry'}: ${issue.message}` : 'can’t be read';
}
