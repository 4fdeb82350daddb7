import { Compaction } from '#agent/compaction/compaction';
import { noteTouches, refreshRulesFiles } from '#agent/rules-files/touched';
import type { Journal } from '#checkpoints/journal';
import { effectiveMode } from '#gates/circumstances';
import { forbiddenTools, permittedMode } from '#gates/settings-files/forbids';
import type { Model } from '#models/model';
import type { TurnId } from '#protocol/ids';
import type { Mode } from '#protocol/settings';
import type { DeferredTools } from '#tools/tool';
import { type ToolTable, type ToolView, viewOf } from '#tools/toolbox';
import { type CommandPlace, commandPlace } from './command-place';
import type { Core } from './core';
import { gateContext } from './gate-context';
import { gitBranch } from './git-branch';
import { afterCall, atPrompt } from './hook-moments';
import { type PromptFacts, systemPrompt } from './prompt';
import type { SessionState } from './session-state';
import { artifactsOf, toolContext, toolPorts } from './tool-context';
import type { Turn } from './turn';
import type { TurnHooks } from './turn-hooks';
import type { TurnTools } from './turn-tools';

interface Run {
  readonly turnId: TurnId;
  readonly journal: Journal;
  readonly signal: AbortSignal;
  readonly model: Model;
  readonly hooks: TurnHooks;
}

/** Makes of a session and its core what the loop works with. */
export async function createTurn(core: Core, session: SessionState, run: Run): Promise<Turn> {
  const { host, workspace } = core;
  const { turnId, signal, model, hooks } = run;
  const { log, conversation, queue } = session;
  const place = await commandPlace(core);
  const branch = await gitBranch(workspace.root, host.files);
  const { maxSteps } = host.settings.current();
  const tools: TurnTools = { core, session, place, ports: toolPorts(core, session), ...run };
  let shown = shownNow(core, session);
  session.rulesFiles.expire();
  await core.settingsFiles.refresh();
  return {
    id: turnId,
    sessionId: session.id,
    model,
    signal,
    maxSteps,
    log,
    conversation,
    compaction: new Compaction({ core, session, turnId, signal, model, hooks }),
    size: session.size,
    hooks,
    newId: <T extends string>() => host.random.id() as T,
    view() {
      shown = shownNow(core, session);
      tellOfNewTools(session, shown.table);
      return shown.view;
    },
    system: (seen) =>
      systemPrompt({
        ...promptFacts(core, place),
        branch,
        mode: modeNow(core, session),
        rules: session.rulesFiles.text,
        deferred: listedNames(seen),
      }),
    gates: (step) => gateContext(tools, { ...step, table: shown.table }),
    context(passed) {
      noteTouches(session, passed.touches);
      return { ...toolContext(tools, passed), deferred: deferredTools(session, shown) };
    },
    afterCall: (passed, ended) => afterCall(hooks, tools, passed, ended),
    now: () => host.clock.monotonic(),
    warn: (message) => host.log.warn(message),
    redact: core.redactor.value,
    hasQueued: () => queue.length > 0,
    deliverQueued: () => deliver(session, run),
    async note(text) {
      log.note(conversation.note(turnId, text));
    },
  };
}

/** What the step that runs now shows of the tools. */
interface Shown {
  readonly table: ToolTable;
  readonly view: ToolView;
}

/** What mode and policy leave, and what there is use for. */
function shownNow(core: Core, session: SessionState): Shown {
  const table = core.table();
  const view = viewOf(table, {
    mode: modeNow(core, session),
    simple: core.host.settings.current().simple,
    artifacts: artifactsOf(core, session.id).any(),
    background: session.background.any(),
    activated: session.activations.of(table),
    forbidden: forbiddenTools(table.tools, core.settingsFiles.current()),
  });
  return { table, view };
}

/** Where nothing can find them, naming them would lead nowhere. */
function listedNames(view: ToolView): readonly string[] {
  return view.has('search_tools') ? view.deferred.map(({ name }) => name) : [];
}

/** What this step shows is what can be switched on, for the next one. */
function deferredTools({ activations }: SessionState, { table, view }: Shown): DeferredTools {
  return {
    usable: () => [...view.tools.filter((tool) => tool.deferred), ...view.deferred],
    isShown: (name) => view.has(name),
    activate: (tools) => activations.add(table, tools),
  };
}

function modeNow({ host, settingsFiles }: Core, session: SessionState): Mode {
  return effectiveMode(permittedMode(session.mode, settingsFiles.current()), host.trust.isTrusted());
}

function promptFacts(
  { host, workspace }: Core,
  { shell, state }: CommandPlace,
): Omit<PromptFacts, 'branch' | 'mode' | 'rules' | 'deferred'> {
  return {
    platform: host.environment.platform,
    shell: shell.file || shell.kind,
    folder: workspace.root,
    now: host.clock.now(),
    trusted: host.trust.isTrusted(),
    sandbox: state.words,
  };
}

/** What happened meanwhile: words of the person, commands that ended, rules files. */
async function deliver(session: SessionState, run: Run): Promise<void> {
  const { background, log, conversation } = session;
  await deliverQueued(session, run);
  const ended = background.takeNotes();
  if (ended !== undefined) log.note(conversation.note(run.turnId, ended));
  await refreshRulesFiles(session, run.turnId);
}

/** What the person wrote meanwhile; the model never sees what a hook blocks. */
async function deliverQueued(
  { queue, log, conversation }: SessionState,
  { turnId, hooks }: Run,
): Promise<void> {
  for (let text = queue.shift(); text !== undefined; text = queue.shift()) {
    const said = text;
    const blocked = await atPrompt(hooks, said);
    await log.record({ type: 'message.delivered', turnId, text }, () =>
      blocked === undefined ? conversation.user(turnId, said) : undefined,
    );
  }
}

function tellOfNewTools(session: SessionState, table: ToolTable): void {
  if (session.tableVersion !== undefined && session.tableVersion !== table.version) {
    const toolNames = table.tools.map(({ name }) => name);
    session.log.recordNow({ type: 'tools.changed', version: table.version, toolNames });
  }
  session.tableVersion = table.version;
}
