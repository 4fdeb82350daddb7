import { z } from 'zod';

/** What gives away that an event may need mending. */
const NO_TEXT = /"arguments"\s*:\s*[{[n]/;

/**
 * Makes text of the arguments of calls that come as an object or null, as several endpoints send them that speak OpenAI's chat API
 * loosely: the provider package would take the whole reply for broken. Takes chunks and gives back whole events; undefined when there
 * is none yet. What needs no mending goes on as it came.
 */
export function withTextArguments(): (chunk: Uint8Array) => Uint8Array | undefined {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const all = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes;
    const cut = endOfEvents(all);
    rest = cut === all.length ? NOTHING : Buffer.from(all.subarray(cut));
    if (cut === 0) return undefined;
    const events = all.subarray(0, cut);
    return NO_TEXT.test(events.toString('latin1')) ? Buffer.from(mended(events.toString('utf8'))) : events;
  };
}

const NOTHING = Buffer.alloc(0);

/** Behind the last empty line. */
function endOfEvents(bytes: Buffer): number {
  const ends = ['\n\n', '\n\r\n', '\r\r', '\r\n\n'].map((mark) => {
    const at = bytes.lastIndexOf(mark);
    return at < 0 ? 0 : at + mark.length;
  });
  return Math.max(...ends);
}

function mended(events: string): string {
  const parts = events.split(/((?:\r\n|\r|\n){2,})/);
  return parts
    .map((part) => (NO_TEXT.test(part.replace(/\s+(?:data:)?/g, ' ')) ? mendedEvent(part) : part))
    .join('');
}

const callSchema = z.looseObject({ function: z.looseObject({ arguments: z.unknown() }) });
const chunkSchema = z.looseObject({
  choices: z.array(z.looseObject({ delta: z.looseObject({ tool_calls: z.array(z.unknown()) }) })),
});

/** Its data may stand on several lines. */
function mendedEvent(event: string): string {
  const data = event.split(/\r\n|\r|\n/).flatMap((line) => DATA.exec(line)?.[1] ?? []);
  const chunk = chunkSchema.safeParse(json(data.join('\n')));
  if (!chunk.success) return event;
  for (const { delta } of chunk.data.choices) delta.tool_calls = delta.tool_calls.map(withText);
  return `data: ${JSON.stringify(chunk.data)}`;
}

const DATA = /^\ufeff?data:(.*)$/s;

function withText(value: unknown): unknown {
  const call = callSchema.safeParse(value);
  if (!call.success || typeof call.data.function.arguments === 'string') return value;
  const { function: called } = call.data;
  return { ...call.data, function: { ...called, arguments: JSON.stringify(called.arguments ?? {}) } };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
