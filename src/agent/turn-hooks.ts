import { inEnglish } from '#base/l10n';
import { messageOf } from '#base/result';
import { truncate } from '#base/text';
import type { Journal } from '#checkpoints/journal';
import { effectiveMode } from '#gates/circumstances';
import { type Hook, type HookEvent, hookName } from '#gates/hooks/hook';
import { fits } from '#gates/hooks/matcher';
import type { HookReport } from '#gates/hooks/report';
import type { HookOccasion, HookOutcome, HookRunner } from '#gates/hooks/runner';
import type { TurnProblem } from '#protocol/event';
import type { TurnId } from '#protocol/ids';
import type { Mode } from '#protocol/settings';
import { showPath } from '#tools/paths';
import type { Core } from './core';
import { runCovered } from './covered-command';
import { hookSets } from './hook-sets';
import { runHook } from './run-hook';
import type { SessionState } from './session-state';
import { transcriptLines } from './transcript-lines';
import { hookProblem } from './turn-problem';

/** What hooks of one turn need to know of it. */
export interface HookedTurn {
  readonly core: Core;
  readonly session: SessionState;
  readonly turnId: TurnId;
  readonly signal: AbortSignal;
}

/** Runs the hooks of one turn and keeps what they have to say: to the person as events at once, to the model with the next request. */
export class TurnHooks implements HookRunner {
  readonly #turn: HookedTurn;
  readonly #notes: string[] = [];
  #ending: TurnProblem | undefined;
  #journal: Journal | undefined;

  constructor(turn: HookedTurn) {
    this.#turn = turn;
  }

  /** Where the turn's changes are noted, once it has begun. */
  noteIn(journal: Journal): void {
    this.#journal = journal;
  }

  /** A hook wants the turn to end. */
  get ending(): TurnProblem | undefined {
    return this.#ending;
  }

  /** Whether anything is configured for that moment. */
  any(event: HookEvent): boolean {
    return hookSets(this.#turn.core).some(({ hooks }) => hooks.some((hook) => hook.event === event));
  }

  /** What the model is to be told, once. */
  takeNotes(): string | undefined {
    const notes = this.#notes.splice(0);
    return notes.length === 0 ? undefined : `The user's hooks say:\n${notes.join('\n')}`;
  }

  async run(occasion: HookOccasion): Promise<HookOutcome> {
    const { core, signal } = this.#turn;
    const sets = hookSets(core);
    const problems = sets.flatMap((set) => set.problems.filter(({ guards }) => guards));
    const hooks = await fitting(
      sets.flatMap((set) => set.hooks),
      occasion,
    );
    if (hooks.length === 0 || signal.aborted) return { reports: [], problems };
    // A hook may do anything: what led to it is recorded before it begins.
    this.#turn.session.log.flush();
    const input = JSON.stringify({ ...(await this.#base(occasion.event)), ...(await occasion.fields()) });
    const ended = await this.#watched(occasion, hooks, () =>
      Promise.all(hooks.map((hook) => runHook(hook, input, this.#turn))),
    );
    const reports = core.redactor.value(ended.filter((report) => report !== undefined));
    for (const report of reports) await this.#hear(occasion, report);
    return { reports, problems };
  }

  /** What hooks change on disk is part of the turn like what commands change. */
  async #watched<T>({ event }: HookOccasion, hooks: readonly Hook[], work: () => Promise<T>): Promise<T> {
    const { core } = this.#turn;
    if (!CHANGES_FILES.has(event) || !this.#journal) return work();
    // A look that stops half-way would keep the hooks from being told of the end.
    const { signal } = new AbortController();
    const names = hooks.map((hook) => inEnglish(hookName(hook))).join(', ');
    const command = truncate(`${event} ${names}`, 300);
    const covered = { core, journal: this.#journal, signal, command };
    const { outcome, seen } = await runCovered(covered, work);
    const { changes } = seen;
    if (changes.length > 0) this.#notes.push(changeWords(event, names, changes));
    return outcome;
  }

  /** What every hook is told. */
  async #base(event: HookEvent): Promise<object> {
    const { core, session } = this.#turn;
    const { host, workspace } = core;
    const { transcript } = session;
    const facts = {
      sessionId: session.id,
      cwd: workspace.root,
      modelId: session.modelId,
      now: host.clock.now(),
      redact: core.redactor.value,
    };
    try {
      await transcript.write(transcriptLines(session.conversation.messages, facts));
    } catch (error) {
      // A guard runs without it.
      host.log.warn(`the transcript for hooks can't be written: ${messageOf(error)}`);
    }
    return {
      session_id: session.id,
      transcript_path: transcript.path,
      cwd: workspace.root,
      permission_mode: MODE_WORDS[effectiveMode(session.mode, host.trust.isTrusted())],
      hook_event_name: event,
    };
  }

  async #hear({ event, callId }: HookOccasion, report: HookReport): Promise<void> {
    const { name, problem, message, context, reason, decision, text, stop } = report;
    const note = (words: string | undefined) => {
      if (words) this.#notes.push(`${event} ${inEnglish(name)}: ${words}`);
    };
    note(message);
    note(context);
    if (SPEAKS_PLAINLY.has(event)) note(text);
    // A denied call's reason is its result; a blocked prompt is for the person alone; a blocked stop is the next message.
    if (reason !== message && !(decision === 'deny' && REASON_GOES_ELSEWHERE.has(event))) note(reason);
    if (stop !== undefined && event !== 'Stop') this.#ending ??= hookProblem(name, stop);
    const tell = (kind: 'message' | 'problem' | 'blocked', words: string) =>
      this.#turn.session.log.record({
        type: 'hook.reported',
        turnId: this.#turn.turnId,
        ...(callId === undefined ? {} : { callId }),
        event,
        hook: name,
        kind,
        text: truncate(words, MOST_SHOWN),
      });
    if (problem !== undefined) await tell('problem', problem);
    if (message !== undefined) await tell('message', message);
    if (stop && event === 'Stop') await tell('message', stop);
    // Before a call the call's own row says so.
    if (decision === 'deny' && event !== 'PreToolUse') await tell('blocked', reason ?? '');
  }
}

/** Characters of a notice; the model gets more. */
const MOST_SHOWN = 2000;

/** What they print is context, JSON or not. */
const SPEAKS_PLAINLY: ReadonlySet<HookEvent> = new Set(['UserPromptSubmit', 'SessionStart']);
const REASON_GOES_ELSEWHERE: ReadonlySet<HookEvent> = new Set(['PreToolUse', 'UserPromptSubmit', 'Stop']);

/** A formatter after an edit, a generator at the end. A guard before each call changes nothing, and looking costs. */
const CHANGES_FILES: ReadonlySet<HookEvent> = new Set(['PostToolUse', 'PostToolUseFailure', 'Stop']);
const CHANGES_NAMED = 10;

function changeWords(event: HookEvent, hooks: string, changes: readonly { readonly path: string }[]): string {
  const named = changes.slice(0, CHANGES_NAMED).map(({ path }) => showPath(path));
  const more = changes.length > CHANGES_NAMED ? ` and ${changes.length - CHANGES_NAMED} more` : '';
  return `${event} ${hooks} changed ${named.join(', ')}${more}; read it again before you edit it.`;
}

/** Belay's modes in the words that hook scripts know. */
const MODE_WORDS: Readonly<Record<Mode, string>> = {
  'read-only': 'plan',
  prompt: 'default',
  'workspace-write': 'acceptEdits',
  allow: 'bypassPermissions',
  'danger-full-access': 'bypassPermissions',
};

/** Those for this moment, each command once. */
export async function fitting(hooks: readonly Hook[], occasion: HookOccasion): Promise<readonly Hook[]> {
  const found = new Map<string, Hook>();
  for (const hook of hooks) {
    if (hook.event !== occasion.event || found.has(hook.command)) continue;
    if (!fits(hook.matcher, occasion.names)) continue;
    if (hook.condition && !(await occasion.meets?.(hook.condition))) continue;
    found.set(hook.command, hook);
  }
  return [...found.values()];
}
