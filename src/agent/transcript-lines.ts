import { parseArguments } from '#gates/arguments';
import { toWire } from '#gates/hooks/wire-tools';
import type { AssistantPart, Message } from '#protocol/message';
import type { TranscriptLine } from '#store/transcript-file';

/** What stands on every line. */
export interface TranscriptFacts {
  readonly sessionId: string;
  readonly cwd: string;
  readonly modelId: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  redact<T>(value: T): T;
}

/** A conversation in the lines that scripts for Claude Code read: user, assistant, tool use, tool result. */
export function transcriptLines(
  messages: readonly Message[],
  facts: TranscriptFacts,
): readonly TranscriptLine[] {
  return messages.map((message, index) => ({
    key: message.id,
    text: () =>
      JSON.stringify(
        facts.redact({
          ...lineOf(message, facts),
          uuid: message.id,
          parentUuid: messages[index - 1]?.id ?? null,
          isSidechain: false,
          sessionId: facts.sessionId,
          cwd: facts.cwd,
          timestamp: new Date(facts.now).toISOString(),
        }),
      ),
  }));
}

function lineOf(message: Message, { cwd, modelId }: TranscriptFacts): object {
  switch (message.kind) {
    case 'user': {
      const content = [message.text, message.attached].filter(Boolean).join('\n\n');
      return { type: 'user', message: { role: 'user', content } };
    }
    case 'note':
      return { type: 'user', isMeta: true, message: { role: 'user', content: message.text } };
    case 'compaction':
      return message.summary
        ? { type: 'user', isCompactSummary: true, message: { role: 'user', content: message.summary.text } }
        : { type: 'system', subtype: 'compact_boundary', content: 'Old outputs are left out from here on.' };
    case 'assistant': {
      const content = message.parts.map((part) => partOf(part, cwd));
      return { type: 'assistant', message: { role: 'assistant', model: modelId, content } };
    }
    case 'result': {
      const { status, content } = message.result;
      const failed = status === 'success' ? {} : { is_error: true };
      const result = { type: 'tool_result', tool_use_id: message.callId, content, ...failed };
      return { type: 'user', message: { role: 'user', content: [result] } };
    }
  }
}

function partOf(part: AssistantPart, cwd: string): object {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'reasoning':
      return { type: 'thinking', thinking: part.text };
    case 'call': {
      const { id, name, rawInput } = part.call;
      const wire = toWire(name, argumentsOf(rawInput), cwd);
      return { type: 'tool_use', id, name: wire.name, input: wire.input };
    }
  }
}

/** What isn't JSON is shown as the text that it is. */
function argumentsOf(rawInput: string): unknown {
  try {
    return parseArguments(rawInput);
  } catch {
    return { rawInput };
  }
}
