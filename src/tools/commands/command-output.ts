import { z } from 'zod';
import type { ToolDefinition } from '#tools/tool';
import type { BackgroundOutput, BackgroundStatus } from './background';
import { background, commandOf } from './background-words';

const NAME = 'command_output';
const MOST_BYTES = 50_000;
const DEFAULT_BYTES = 16_000;

const inputSchema = z.strictObject({
  id: z.string(),
  offset: z.number().int().min(0).describe('Byte to begin at; "next" of the last answer goes on'),
  maxBytes: z.number().int().min(100).max(MOST_BYTES).optional().describe('16000 when absent'),
  waitMs: z
    .number()
    .int()
    .min(0)
    .max(60_000)
    .optional()
    .describe('Wait so long for output behind the offset, or for the end; not at all when absent'),
});
type Input = z.infer<typeof inputSchema>;

/** Reads what a background command printed, and waits for it where that is asked. */
export const commandOutput: ToolDefinition<Input> = {
  name: NAME,
  description:
    'Returns output of a background command from a byte offset on, as text without escape sequences. With waitMs it returns as soon as there is more, at the end of the command, or in time: wait so instead of asking again and again.',
  risk: 'read',
  capabilities: ['session.read'],
  concurrencySafe: true,
  inputSchema,
  origin: { kind: 'built-in' },
  pages: true,
  waits: true,
  touches: async () => [],
  summarize: ({ id }) => id,
  async execute({ id, offset, maxBytes = DEFAULT_BYTES, waitMs = 0 }, context) {
    const commands = background(context.background, NAME);
    commandOf(NAME, id, commands);
    const page = await commands.output(id, { offset, maxBytes, waitMs, signal: context.signal });
    return pageWords(page, commandOf(NAME, id, commands), offset);
  },
};

function pageWords(page: BackgroundOutput, status: BackgroundStatus, offset: number): string {
  const { text, unfinished, next, end, dropped, artifact } = page;
  const body = text + unfinished;
  const facts = [
    ...(dropped > 0
      ? [`${dropped} bytes from offset ${offset} on are not kept; this begins at ${page.start}`]
      : []),
    ...(unfinished === '' ? [] : ['the last line has not ended and comes again when it has']),
    `next: ${next}`,
    ...(next < end ? [`${end - next} bytes more so far`] : []),
    status.isRunning ? 'running' : (status.ending ?? 'ended'),
    ...(artifact ? [`read_artifact {"id": ${JSON.stringify(artifact)}} has all that was kept`] : []),
  ];
  return `${body === '' ? '(no new output)' : body.trimEnd()}\n\n(${facts.join('; ')})`;
}
