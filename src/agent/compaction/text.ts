import { headAndTail } from '#base/text';
import type { SentMessage } from '#protocol/message';

/** UTF-16 units of what goes into a summary of each kind: words count, outputs are mostly noise. */
const LIMITS = { user: 6000, text: 4000, input: 700, output: 900, note: 30_000 } as const;

/** A part of a conversation as one text of at most `limit` UTF-16 units: its beginning and its end, if it must be shortened. */
export function conversationText(messages: readonly SentMessage[], limit: number): string {
  const lines = messages.flatMap(linesOf).join('\n\n');
  return headAndTail(lines, limit).text;
}

function linesOf(message: SentMessage): readonly string[] {
  switch (message.kind) {
    case 'user': {
      const attached =
        message.attached === '' ? '' : `\n(attached: ${shorter(message.attached, LIMITS.output)})`;
      return [`PERSON: ${shorter(message.text, LIMITS.user)}${attached}`];
    }
    case 'note':
      return [`NOTE: ${shorter(message.text, LIMITS.note)}`];
    case 'result': {
      const { status, content } = message.result;
      return [`RESULT of ${message.toolName} (${status}): ${shorter(content, LIMITS.output)}`];
    }
    case 'assistant':
      return message.parts.flatMap((part) => {
        if (part.kind === 'reasoning' || (part.kind === 'text' && part.text.trim() === '')) return [];
        return part.kind === 'text'
          ? [`AGENT: ${shorter(part.text, LIMITS.text)}`]
          : [`CALL ${part.call.name} ${shorter(part.call.rawInput, LIMITS.input)}`];
      });
  }
}

function shorter(text: string, limit: number): string {
  return headAndTail(text, limit).text;
}
