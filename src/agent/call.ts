import { sha256 } from '#base/hash';
import { inEnglish } from '#base/l10n';
import { messageOf } from '#base/result';
import { truncate } from '#base/text';
import type { GateOutcome, PassedCall } from '#gates/context';
import { didNotRun } from '#gates/refusal';
import type { EventBody } from '#protocol/event';
import type { TurnId } from '#protocol/ids';
import type { ToolCall } from '#protocol/tool-call';
import { DISPLAY_LIMIT, type ToolResult } from '#protocol/tool-result';
import { isOutside } from '#tools/origin';
import { boundResult, normalizeResult } from '#tools/result';
import { schemaHash } from '#tools/schema';
import { type ToolContext, type ToolDefinition, ToolFailure } from '#tools/tool';
import type { Ended, Turn } from './turn';

/** A stopped tool has this long to end by itself, in milliseconds; a process tree takes up to 2 s to be killed. */
const GRACE = 8000;

/** What the model asked for. */
export function requestedEvent(turnId: TurnId, call: ToolCall): EventBody {
  return {
    type: 'tool.requested',
    turnId,
    callId: call.id,
    name: call.name,
    inputSha256: sha256(call.rawInput),
    inputBytes: Buffer.byteLength(call.rawInput),
  };
}

/** What the gates said. */
export function gatedEvent(turnId: TurnId, { call, summary, trace }: GateOutcome): EventBody {
  return { type: 'tool.gated', turnId, callId: call.id, summary, trace };
}

/** From here on the outcome counts: a call that has this event and no `tool.completed` is one whose end nobody knows. */
export function startedEvent(turnId: TurnId, { call, tool, risk }: PassedCall): EventBody {
  return {
    type: 'tool.started',
    turnId,
    callId: call.id,
    name: tool.name,
    risk,
    sideEffect: risk !== 'read',
    schemaSha256: schemaHash(tool),
  };
}

/** Runs a call that passed the gates. Never rejects: whatever happens is a result. */
export async function perform(turn: Turn, passed: PassedCall): Promise<Ended> {
  const began = turn.now();
  const context = turn.context(passed);
  const result = withoutSecrets(await resultOf(turn, passed, context), turn, passed.tool);
  const bounded = await boundResult(result, context.artifacts, passed.tool).catch((error: unknown) => ({
    ...result,
    content: `${truncate(result.content, 16_000)}\n\n(the rest could not be kept: ${messageOf(error)})`,
  }));
  return { result: bounded, ms: Math.round((turn.now() - began) * 10) / 10 };
}

/**
 * What others' tools say loses its secrets for the model too: the files and commands that it came from passed no gate. They keep
 * nothing with us, so an artifact that they name isn't theirs.
 */
function withoutSecrets(result: ToolResult, turn: Pick<Turn, 'redact'>, tool: ToolDefinition): ToolResult {
  const safe = shown(result, turn);
  if (!isOutside(tool)) return safe;
  const { artifact: _, ...rest } = safe;
  return { ...rest, content: turn.redact(rest.content) };
}

/** Secrets are taken out before a long display is cut: of half a secret nobody knows what it was. The log takes them out of all. */
function shown(result: ToolResult, turn: Pick<Turn, 'redact'>): ToolResult {
  const { display } = result;
  const isCut = display !== undefined && display.kind !== 'diff' && display.body.length > DISPLAY_LIMIT;
  return isCut ? { ...result, display: turn.redact(display) } : result;
}

/** Records the one result of a call: for the model as a message, for people as an event. `soon`: it changed nothing. */
export async function closeCall(
  turn: Pick<Turn, 'id' | 'log' | 'conversation'>,
  { call, trace }: Pick<GateOutcome, 'call' | 'trace'>,
  { result, ms }: Ended,
  { soon = false } = {},
): Promise<ToolResult> {
  const { display, ...forModel } = result;
  const body = {
    type: 'tool.completed',
    turnId: turn.id,
    callId: call.id,
    name: call.name,
    status: result.status,
    ...(result.code ? { code: result.code } : {}),
    contentBytes: Buffer.byteLength(result.content),
    contentSha256: sha256(result.content),
    ...(display ? { display } : {}),
    ...(result.artifact ? { artifact: result.artifact } : {}),
    trace,
    ms,
  } as const;
  const message = () => turn.conversation.result(turn.id, call, forModel);
  if (soon) await turn.log.recordSoon([body], message);
  else await turn.log.record(body, message);
  return result;
}

/** For a call that a stop overtook. */
export function notStarted(call: ToolCall): Ended {
  return { result: didNotRun(call.name), ms: 0 };
}

async function resultOf(turn: Turn, passed: PassedCall, context: ToolContext): Promise<ToolResult> {
  try {
    turn.signal.throwIfAborted();
    // Inside the try: a tool of others may throw before it returns a promise.
    const returned = await unlessStuck(turn, Promise.resolve(passed.tool.execute(passed.input, context)));
    // What our own tools return has its type already.
    const isOurs = passed.tool.origin.kind === 'built-in' && typeof returned !== 'string';
    return withFeedback(isOurs ? returned : normalizeResult(returned), passed.grant.feedback);
  } catch (error) {
    return failureResult(turn, passed, error);
  }
}

/** What the person said when they allowed the call goes along with its result. */
function withFeedback(result: ToolResult, feedback: string | undefined): ToolResult {
  if (!feedback) return result;
  return { ...result, content: `${result.content}\n\n(The user allowed this call and said: ${feedback})` };
}

/** A tool that doesn't hear a stop must not keep the turn open. */
async function unlessStuck<T>({ signal }: Turn, work: Promise<T>): Promise<T> {
  const stuck = Promise.withResolvers<never>();
  let grace: NodeJS.Timeout | undefined;
  const onStop = () => {
    grace = setTimeout(() => stuck.reject(signal.reason), GRACE);
  };
  signal.addEventListener('abort', onStop, { once: true });
  try {
    return await Promise.race([work, stuck.promise]);
  } finally {
    signal.removeEventListener('abort', onStop);
    clearTimeout(grace);
  }
}

function failureResult(turn: Turn, { tool, risk }: PassedCall, error: unknown): ToolResult {
  const { name } = tool;
  if (error instanceof ToolFailure) {
    const { code, retryable, message } = error;
    return { version: 1, status: 'error', code, retryable, content: message };
  }
  if (turn.signal.aborted) {
    const part =
      risk === 'read' ? '' : '; it may have run in part, so look at the present state before you go on';
    const content = `${name}: cancelled by the user while it ran${part}.`;
    return { version: 1, status: 'cancelled', code: 'cancelled', retryable: false, content };
  }
  turn.warn(`${name} threw: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  const content = `${name}: failed: ${truncate(inEnglish(messageOf(error)), 2000)}`;
  return { version: 1, status: 'error', code: 'tool_failed', retryable: false, content };
}
