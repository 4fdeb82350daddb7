import type { Core } from '#agent/core';
import type { SessionState } from '#agent/session-state';
import { messageOf } from '#base/result';
import { parseArguments } from '#gates/arguments';
import type { RelativePath } from '#protocol/ids';
import type { SentMessage } from '#protocol/message';
import type { ToolCall } from '#protocol/tool-call';
import { resolveWorkspacePath } from '#tools/paths';

/** Calls whose arguments or results show what stands in the file at `path`. */
const SHOWS_CONTENT: ReadonlySet<string> = new Set(['read_file', 'write_file', 'edit_file']);
/** Those that show all of it when they name nothing but the path. */
const SHOWS_WHOLE: ReadonlySet<string> = new Set(['read_file', 'write_file']);

interface Place {
  readonly core: Core;
  readonly session: SessionState;
}

/**
 * Drops the read records of files whose content leaves the conversation with these calls, so that they are read again before they are
 * changed. A file that a later call shows whole keeps its record. `gone`: messages that leave as a whole, attached files with them.
 */
export async function forgetReads(
  place: Place,
  calls: ReadonlySet<string>,
  gone: readonly SentMessage[] = [],
): Promise<void> {
  const { conversation, reads } = place.session;
  const shown = new Set<string>();
  const lost = new Set<string>();
  for (const { call, ok } of showing(conversation.sent)) {
    const path = pathOf(call);
    if (path === undefined || !SHOWS_CONTENT.has(call.name)) continue;
    if (calls.has(call.id)) {
      lost.add(path);
      shown.delete(path);
    } else if (ok && SHOWS_WHOLE.has(call.name) && isWhole(call)) shown.add(path);
  }
  for (const message of gone)
    if (message.kind === 'user')
      for (const mention of message.mentions) if (mention.kind === 'file') lost.add(mention.path);
  for (const path of lost) {
    if (shown.has(path)) continue;
    reads.forget(await recordedAs(place, path));
  }
}

/** All calls in order, and whether each came to its end. */
function showing(sent: readonly SentMessage[]): readonly { readonly call: ToolCall; readonly ok: boolean }[] {
  const done = new Set(
    sent.flatMap((message) =>
      message.kind === 'result' && message.result.status === 'success' ? [message.callId] : [],
    ),
  );
  return sent.flatMap((message) =>
    message.kind === 'assistant'
      ? message.parts.flatMap((part) =>
          part.kind === 'call' ? [{ call: part.call, ok: done.has(part.call.id) }] : [],
        )
      : [],
  );
}

function argumentsOf({ rawInput }: ToolCall): Readonly<Record<string, unknown>> {
  try {
    const value = parseArguments(rawInput);
    return value !== null && typeof value === 'object' ? { ...value } : {};
  } catch {
    return {};
  }
}

function pathOf(call: ToolCall): string | undefined {
  const { path } = argumentsOf(call);
  return typeof path === 'string' ? path : undefined;
}

function isWhole(call: ToolCall): boolean {
  const { offset, limit, pages } = argumentsOf(call);
  return offset === undefined && limit === undefined && pages === undefined;
}

/** Records stand under the path that a name leads to. */
async function recordedAs({ core }: Place, path: string): Promise<RelativePath> {
  try {
    const found = await resolveWorkspacePath(path, core.workspace, core.host.files);
    if (found.ok) return found.value.relative;
  } catch (error) {
    core.host.log.warn(`the path of a read can't be followed: ${messageOf(error)}`);
  }
  return path as RelativePath;
}
