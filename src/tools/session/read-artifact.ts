import { z } from 'zod';
import { t } from '#base/l10n';
import { quotePath } from '#tools/paths';
import { rejected } from '#tools/refusal';
import type { ToolDefinition } from '#tools/tool';

const NAME = 'read_artifact';
const PAGE = 50_000;
const LARGEST_PAGE = 100_000;

const inputSchema = z.strictObject({
  id: z.string().min(1).describe('As a result named it'),
  offset: z.number().int().min(0).optional().describe('Byte to begin at; 0 when absent'),
  maxBytes: z.number().int().min(1).optional().describe(`Most bytes; ${PAGE} when absent`),
});
type Input = z.infer<typeof inputSchema>;

/** Shows a page of an output that was too long for the conversation. */
export const readArtifact: ToolDefinition<Input> = {
  name: NAME,
  description:
    'Reads a long output that was moved out of the conversation, page by page; the end says how to go on.',
  risk: 'read',
  capabilities: ['session.read'],
  concurrencySafe: true,
  pages: true,
  inputSchema,
  origin: { kind: 'built-in' },
  touches: async () => [],
  summarize: (input) => t('Read output {0}', input.id),
  async execute({ id, offset = 0, maxBytes = PAGE }, context) {
    const page = await context.artifacts.read(id, offset, Math.min(maxBytes, LARGEST_PAGE));
    if (page === undefined)
      throw rejected(
        NAME,
        `there is no artifact ${quotePath(id)} in this session; use the id a result named`,
      );
    if (offset > 0 && offset >= page.bytes)
      throw rejected(NAME, `offset ${offset} is past the end, at ${page.bytes} bytes`);
    const end = page.next ?? page.bytes;
    const goOn = page.next === undefined ? 'the end' : `go on with offset ${page.next}`;
    const range = `bytes ${offset}–${end} of ${page.bytes}`;
    return {
      version: 1,
      status: 'success',
      content: `${page.text}\n\n(${range}; ${goOn})`,
      // The body stays where it is: a display never copies an artifact.
      display: {
        kind: 'artifact',
        title: id,
        fields: [{ key: 'bytes', value: `${offset}–${end}` }],
        body: '',
      },
    };
  },
};
