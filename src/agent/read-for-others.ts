import { hookSets } from '#agent/hook-sets';
import { runHook } from '#agent/run-hook';
import { fail, messageOf, ok, type Result } from '#base/result';
import { headAndTail, truncate } from '#base/text';
import type { GateContext } from '#gates/context';
import type { HookOccasion, HookOutcome } from '#gates/hooks/runner';
import { mayRead } from '#gates/may-read';
import { walk } from '#gates/pipeline';
import { SessionRules } from '#gates/rules/session-rules';
import type { SettingsFile } from '#gates/settings-files/settings-file';
import type { ApprovalId, CallId, SessionId, TurnId } from '#protocol/ids';
import type { Settings } from '#protocol/settings';
import type { ToolCall } from '#protocol/tool-call';
import { readFile } from '#tools/files/read-file';
import { globFiles } from '#tools/search/glob-files';
import { searchFiles } from '#tools/search/search-files';
import { type ToolContext, ToolFailure, type ToolPorts } from '#tools/tool';
import { createToolbox, viewOf } from '#tools/toolbox';
import type { Core } from './core';
import { fitting } from './turn-hooks';

/** A reading tool that somebody outside calls, with the arguments as they came. */
export interface OutsideRead {
  readonly tool: string;
  readonly input: unknown;
}

/** Characters of an answer: it goes to another's model whole, and nothing keeps the rest. */
const MOST = 40_000;
const LONGEST_INPUT = 100_000;
const NOBODY = '' as SessionId;
const TOOLS = createToolbox([readFile, searchFiles, globFiles]);
const VIEW = viewOf(TOOLS, { mode: 'read-only', simple: false, artifacts: false });

/**
 * Reads for somebody outside of any session: another extension's model. Each call walks the same gates in the mode read-only, but no allow
 * rule counts, since what was allowed was Belay's model to see: what would be asked is refused. Nothing is recorded. Fails in words for a model.
 */
export async function readForOthers(
  core: Core,
  { tool, input }: OutsideRead,
  signal: AbortSignal,
): Promise<Result<string, string>> {
  const rawInput = JSON.stringify(input) ?? '';
  if (rawInput.length > LONGEST_INPUT) return fail(`${tool}: the arguments are too long.`);
  const id = core.host.random.id() as CallId;
  const call = { id, providerId: id, name: tool, rawInput };
  const own = ports(core);
  const context = gates(core, { call, ports: own }, signal);
  const outcome = await walk(call, context);
  if (outcome.kind === 'stopped') return fail(safe(core, outcome.result.content));
  const { sessionRules: rules, settingsFiles } = context;
  const deciding = { rules, files: settingsFiles.current(), mode: 'read-only' } as const;
  const acting = { ...reading(own, signal, id), mayRead: mayRead(outcome, own, deciding) };
  try {
    const result = await outcome.tool.execute(outcome.input, acting);
    return ok(safe(core, typeof result === 'string' ? result : result.content));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ToolFailure)) core.host.log.warn(`${tool} for others: ${messageOf(error)}`);
    return fail(safe(core, truncate(messageOf(error), 2000)));
  }
}

function safe({ redactor }: Core, text: string): string {
  const redacted = redactor.value(text);
  return redacted.length <= MOST ? redacted : headAndTail(redacted, MOST).text;
}

function gates(
  core: Core,
  { call, ports: own }: { readonly call: ToolCall; readonly ports: Ports },
  signal: AbortSignal,
): GateContext {
  const { host, settingsFiles } = core;
  return {
    sessionId: NOBODY,
    batch: [call],
    table: TOOLS,
    view: VIEW,
    ports: own,
    mode: () => 'read-only',
    isTrusted: () => host.trust.isTrusted(),
    sessionRules: new SessionRules(),
    settingsFiles: {
      current: () => settingsFiles.current().map(withoutAllow),
      refresh: () => settingsFiles.refresh(),
    },
    // Nothing that reads is confined or runs a shell.
    sandbox: { active: false, words: '' },
    shell: 'other',
    signal,
    log: host.log,
    hooks: { run: (occasion) => guards(core, occasion, signal) },
    newApprovalId: () => host.random.id() as ApprovalId,
    ask: async () => ({ answer: { answer: 'deny-once' }, by: 'nobody' }),
  };
}

/** What is looked at with; nothing runs beside a conversation that there isn't. */
type Ports = Omit<ToolPorts, 'background'>;

function ports({ host, workspace }: Core): Ports {
  const { files, documents, encodings, intelligence, environment, clock } = host;
  const nothing = () => undefined;
  return {
    workspace,
    ...{ files, documents, encodings, intelligence, environment, clock },
    settings: ownSettings(host.settings.current()),
    // Nobody's conversation was shown it.
    reads: { note: nothing, wrote: nothing, seen: nothing, forget: nothing },
  };
}

function ownSettings(settings: Settings): Settings {
  return { ...settings, permissions: { ...settings.permissions, allow: [] } };
}

function withoutAllow(file: SettingsFile): SettingsFile {
  return { ...file, rules: { ...file.rules, allow: [] } };
}

/** The person's guards before a call run here too; they are told that no session calls. */
async function guards(core: Core, occasion: HookOccasion, signal: AbortSignal): Promise<HookOutcome> {
  const sets = hookSets(core);
  const problems = sets.flatMap((set) => set.problems.filter((problem) => problem.guards));
  const hooks = await fitting(
    sets.flatMap((set) => set.hooks),
    occasion,
  );
  if (hooks.length === 0 || signal.aborted) return { reports: [], problems };
  const told = {
    session_id: '',
    transcript_path: '',
    cwd: core.workspace.root,
    permission_mode: 'plan',
    hook_event_name: occasion.event,
    ...(await occasion.fields()),
  };
  const ended = await Promise.all(hooks.map((hook) => runHook(hook, JSON.stringify(told), { core, signal })));
  return { reports: core.redactor.value(ended.filter((report) => report !== undefined)), problems };
}

/** It looks and remembers nothing. */
function reading(given: Ports, signal: AbortSignal, callId: CallId): ToolContext {
  const refuse = () => {
    throw new Error('reading for others changes nothing');
  };
  return {
    ...given,
    authorized: false,
    callId,
    turnId: '' as TurnId,
    signal,
    writer: { create: refuse, replace: refuse, rename: refuse, delete: refuse, replaceFound: refuse },
    commands: { run: refuse },
    artifacts: { put: refuse, read: async () => undefined, any: () => false },
    todos: { list: () => [], write: refuse },
    onProgress: () => undefined,
  };
}
