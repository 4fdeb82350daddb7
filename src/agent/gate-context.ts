import { redactedQuestion } from '#agent/redaction/question';
import type { GateContext } from '#gates/context';
import { permittedMode } from '#gates/settings-files/forbids';
import type { ApprovalId } from '#protocol/ids';
import type { ToolCall } from '#protocol/tool-call';
import type { ToolTable, ToolView } from '#tools/toolbox';
import type { TurnTools } from './turn-tools';

/** What the gates know of the session in one step. */
export function gateContext(
  tools: TurnTools,
  step: { readonly view: ToolView; readonly table: ToolTable; readonly batch: readonly ToolCall[] },
): GateContext {
  const { core, session, ports, place, signal } = tools;
  const { host } = core;
  return {
    ...step,
    sessionId: session.id,
    ports,
    mode: () => permittedMode(session.mode, core.settingsFiles.current()),
    isTrusted: () => host.trust.isTrusted(),
    sessionRules: session.rules,
    settingsFiles: core.settingsFiles,
    sandbox: place.state,
    failedInside: (command, cwd) => session.failedInside.why(command, cwd),
    shell: place.shell.kind,
    signal,
    log: host.log,
    hooks: tools.hooks,
    newApprovalId: () => host.random.id() as ApprovalId,
    ask: (request) => ask(tools, request),
  };
}

/** Asks a person. Question and answer are recorded, the question before anyone sees it. */
async function ask({ core, session, turnId, signal }: TurnTools, asked: Parameters<GateContext['ask']>[0]) {
  const { store, host, redactor } = core;
  const request = redactedQuestion(asked, redactor);
  store.approvals.asked(request, host.clock.now());
  await session.log.record({ type: 'approval.requested', turnId, request });
  signal.throwIfAborted();
  const said = await host.prompter.ask(request, signal);
  signal.throwIfAborted();
  const { answer, by } = said;
  store.approvals.answered(request.id, redactor.value(answer), by, host.clock.now());
  const { id: approvalId, callId } = request;
  await session.log.record({ type: 'approval.answered', turnId, approvalId, callId, answer, by });
  return said;
}
