import { inEnglish, t } from '#base/l10n';
import { messageOf } from '#base/result';
import { parseArguments } from '#gates/arguments';
import type { PassedCall } from '#gates/context';
import { callOccasion } from '#gates/hooks/call-occasion';
import { blockWords, type HookReport } from '#gates/hooks/report';
import { wireResponse } from '#gates/hooks/wire-response';
import type { GateLine } from '#protocol/tool-call';
import type { ToolResult } from '#protocol/tool-result';
import { namedByServer } from '#tools/origin';
import { absolutePath } from '#tools/paths';
import { LeaseLost } from './session-log';
import type { Ended } from './turn';
import type { TurnHooks } from './turn-hooks';
import { isStoreError } from './turn-problem';
import type { TurnTools } from './turn-tools';

/** The first turn of a session since it was opened. Only adds context. */
export async function atSessionStart(hooks: TurnHooks, source: 'startup' | 'resume'): Promise<void> {
  await hooks.run({ event: 'SessionStart', names: [source], fields: async () => ({ source }) });
}

/** Why the prompt isn't to be sent; undefined when it may. */
export async function atPrompt(hooks: TurnHooks, prompt: string): Promise<string | undefined> {
  const { reports } = await hooks.run({
    event: 'UserPromptSubmit',
    names: [],
    fields: async () => ({ prompt }),
  });
  return blocked(reports);
}

/** The model is done. Why it is to go on; undefined when it may stop. `active`: it went on already because of a hook. */
export async function atStop(hooks: TurnHooks, active: boolean): Promise<string | undefined> {
  const { reports } = await hooks.run({
    event: 'Stop',
    names: [],
    fields: async () => ({ stop_hook_active: active }),
  });
  // `continue: false` says the same as the model: it ends here.
  return reports.some(({ stop }) => stop !== undefined) ? undefined : blocked(reports, inEnglish);
}

/** After a call that ran. Who ran stands in the call's trace; what they say to the model goes along with the next request. */
export async function afterCall(
  hooks: TurnHooks,
  { ports, place }: Pick<TurnTools, 'ports' | 'place'>,
  passed: PassedCall,
  { result, ms }: Ended,
): Promise<readonly GateLine[]> {
  const { call, tool, risk, capabilities, touches } = passed;
  const failed = hasFailed(result);
  const event = failed ? 'PostToolUseFailure' : 'PostToolUse';
  if (result.status === 'cancelled' || !hooks.any(event)) return [];
  const began = ports.clock.monotonic();
  const facts = { tool: tool.name, risk, capabilities, ...namedByServer(tool) };
  const hooked = { callId: call.id, facts, touches, input: parseArguments(call.rawInput) };
  const [touch] = touches;
  const path = touch && 'path' in touch ? absolutePath(ports.workspace, touch.path) : undefined;
  const more = failed
    ? { error: result.content, is_interrupt: false, duration_ms: ms }
    : { tool_response: wireResponse(tool.name, path, result), duration_ms: ms };
  const line = (why: string): GateLine => {
    const spent = Math.round((ports.clock.monotonic() - began) * 100) / 100;
    return { stage: 'post-hooks', verdict: 'pass', why, ms: spent };
  };
  try {
    const at = { ports, shell: place.shell.kind };
    const { reports } = await hooks.run(callOccasion(event, hooked, at, more));
    return reports.length === 0 ? [] : [line(reports.map(reportWords).join('; '))];
  } catch (error) {
    if (isStoreError(error) || error instanceof LeaseLost) throw error;
    // The call has run and has its result, whatever becomes of its hooks.
    return [line(t('the hooks could not be run: {0}', messageOf(error)))];
  }
}

/** To Belay a command that ran is a success whatever it says at its end; hook scripts know one that ends with an error as a failure. */
function hasFailed({ status, display }: ToolResult): boolean {
  return status !== 'success' || (display?.kind === 'command' && display.exitCode !== 0);
}

function blocked(reports: readonly HookReport[], say?: (words: string) => string): string | undefined {
  return blockWords(reports, say).join('\n') || undefined;
}

function reportWords({ name, problem, reason, message, context, text, stop }: HookReport): string {
  const words = problem ?? reason ?? message ?? context ?? text ?? stop;
  return words ? `${name}: ${words}` : t('{0} had nothing to say', name);
}
