import type { ArtifactId, CallId } from '#protocol/ids';
import type { CompactionMessage, LeftOut, Message, SentMessage } from '#protocol/message';
import type { ToolResult } from '#protocol/tool-result';

/**
 * What requests take of the stored messages: the newest summary in the place of what it stands for, old outputs as references, results
 * without their call left out. A pure function: what a rewind covered isn't among the messages, so what it left out comes back.
 */
export function sentMessages(stored: readonly Message[]): readonly SentMessage[] {
  const compactions = stored.filter((message) => message.kind === 'compaction');
  if (compactions.length === 0) return stored as readonly SentMessage[];
  const leftOut = new Map(compactions.flatMap((each) => each.leftOut.map((one) => [one.callId, one])));
  const { head, from } = summaryOf(stored, compactions);
  const sent: SentMessage[] = head ? [head] : [];
  const known = new Set<CallId>();
  for (const message of stored.slice(from)) {
    if (message.kind === 'compaction') continue;
    if (message.kind === 'assistant') noteCalls(message, known);
    if (message.kind !== 'result') sent.push(message);
    else if (known.has(message.callId)) sent.push(withReference(message, leftOut.get(message.callId)));
  }
  return sent;
}

/** The newest summary whose place is there. One that names what is lost stands for nothing: too long a request can still be mended. */
function summaryOf(
  stored: readonly Message[],
  compactions: readonly CompactionMessage[],
): { readonly head: SentMessage | undefined; readonly from: number } {
  for (const { id, turnId, summary } of compactions.toReversed()) {
    if (!summary) continue;
    const from = stored.findIndex((message) => message.id === summary.from);
    if (from >= 0) return { head: { kind: 'note', id, turnId, text: summary.text }, from };
  }
  return { head: undefined, from: 0 };
}

function noteCalls({ parts }: Extract<Message, { kind: 'assistant' }>, known: Set<CallId>): void {
  for (const part of parts) if (part.kind === 'call') known.add(part.call.id);
}

type ResultMessage = Extract<Message, { kind: 'result' }>;

/** Kept as long as the result is: what was made of it for the wire is looked up by it. */
const references = new WeakMap<ToolResult, ResultMessage>();

function withReference(message: ResultMessage, leftOut: LeftOut | undefined): ResultMessage {
  if (!leftOut) return message;
  const known = references.get(message.result);
  if (known) return known;
  const { images: _images, ...result } = message.result;
  const content = referenceWords(message, leftOut.artifact ?? result.artifact?.id);
  const sent: ResultMessage = { ...message, result: { ...result, content } };
  references.set(message.result, sent);
  return sent;
}

/** What stands in the place of an output. */
export function referenceWords({ result }: Pick<ResultMessage, 'result'>, artifact?: ArtifactId): string {
  const bytes = Buffer.byteLength(result.content).toLocaleString('en');
  const again =
    artifact === undefined
      ? 'If you need it, make the same call again.'
      : `If you need it, read_artifact has it under the id ${artifact}. Don't run it again for that.`;
  return `(The output of this call, ${bytes} bytes, was left out to save room. ${again})`;
}
