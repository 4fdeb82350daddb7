import { z } from 'zod';
import { t } from '#base/l10n';
import { quotePath } from '#tools/paths';
import { refusalOf, rejected } from '#tools/refusal';
import type { ToolDefinition } from '#tools/tool';
import { bytesPage, type Shown } from './artifact-bytes';
import { keywordPage, linesPage } from './artifact-pages';

const NAME = 'read_artifact';

const whole = (from: number) => z.number().int().min(from).optional();

const inputSchema = z.strictObject({
  id: z.string().min(1).describe('As a result named it'),
  offset: whole(0).describe('Byte to begin at'),
  maxBytes: whole(1).describe('50,000 when absent'),
  line: whole(1).describe('Line to begin at, instead of offset'),
  maxLines: whole(1),
  keyword: z.string().min(1).max(1000).optional().describe('Only lines with this text, case ignored'),
  context: z.number().int().min(0).max(20).optional().describe('Lines around each; 2 when absent'),
});
export type ReadArtifactInput = z.infer<typeof inputSchema>;

/** Shows a part of an output that was too long for the conversation: by bytes, by lines, or what holds a keyword. */
export const readArtifact: ToolDefinition<ReadArtifactInput> = {
  name: NAME,
  description:
    'Reads a long output that was moved out of the conversation, by bytes or lines, or only lines with a keyword; the end says how to go on.',
  risk: 'read',
  capabilities: ['session.read'],
  concurrencySafe: true,
  pages: true,
  inputSchema,
  origin: { kind: 'built-in' },
  validate: (input) => refusalOf(async () => demandOneWay(input)),
  touches: async () => [],
  summarize: (input) =>
    input.keyword === undefined ? t('Read a long output') : t('Find “{0}” in a long output', input.keyword),
  async execute(input, { artifacts }) {
    const shown = await pageOf(input, artifacts);
    if (shown === undefined)
      throw rejected(
        NAME,
        `there is no artifact ${quotePath(input.id)} in this session; use the id a result named`,
      );
    if ('problem' in shown) throw rejected(NAME, shown.problem);
    const { content, fields, artifact } = shown;
    return {
      version: 1,
      status: 'success',
      content,
      // The body stays where it is: a display never copies an artifact.
      display: { kind: 'artifact', title: t('a long output'), fields, body: '' },
      artifact,
    };
  },
};

function pageOf(
  input: ReadArtifactInput,
  artifacts: Parameters<typeof linesPage>[1],
): Promise<Shown | undefined> {
  if (input.keyword !== undefined) return keywordPage({ ...input, keyword: input.keyword }, artifacts);
  return input.line === undefined && input.maxLines === undefined
    ? bytesPage(input, artifacts)
    : linesPage(input, artifacts);
}

/** Two ways at once would have to be guessed at. */
function demandOneWay({ offset, maxBytes, line, maxLines, keyword, context }: ReadArtifactInput): void {
  const byBytes = offset !== undefined || maxBytes !== undefined;
  const byLines = line !== undefined || maxLines !== undefined;
  if (byBytes && (byLines || keyword !== undefined))
    throw rejected(NAME, 'offset and maxBytes count bytes; leave them out with line, maxLines or keyword');
  if (context !== undefined && keyword === undefined)
    throw rejected(NAME, 'context goes with keyword; leave it out or give a keyword');
}
