import { z } from 'zod';
import { t } from '#base/l10n';
import type { TextRange } from '#host/language/answer';
import { refuseUnsaved } from '#tools/files/editable';
import { locate, locateFile, touchesAt } from '#tools/files/place';
import { showPath } from '#tools/paths';
import { refusalOf, rejected } from '#tools/refusal';
import { splitLines } from '#tools/text-file';
import { demandAuthorization, type ToolDefinition, type ToolPorts } from '#tools/tool';
import { allowed } from './allowed';
import { known } from './answer-words';
import { applyEdit } from './apply-edit';
import { type AskedFile, askedBeforeGates, askedFile } from './asked-file';
import { type EditPlan, editPlan } from './edit-plan';
import { changesDisplay, editResult } from './edit-result';
import { CHANGES } from './tool-heads';

const NAME = 'format';

const line = z.number().int().min(1);
const inputSchema = z.strictObject({
  path: z.string().min(1).describe('Relative to the workspace folder'),
  range: z.strictObject({ from: line, to: line }).optional().describe('Only these lines'),
});
type Input = z.infer<typeof inputSchema>;

/** What a person was shown is what is done: a formatter may answer otherwise the second time. */
const plans = allowed<Input, { readonly edit: EditPlan }>(NAME, async (input, ports, signal) => ({
  edit: await planOf(input, ports, signal),
}));

/** Formats a file as the editor would. */
export const format: ToolDefinition<Input> = {
  ...CHANGES,
  name: NAME,
  description:
    'Formats a file, or some of its lines, with the formatter of the editor and the settings for that file.',
  inputSchema,
  searchMetadata: {
    aliases: ['format_document', 'format_file', 'prettify'],
    tags: ['lsp', 'language server', 'style', 'indentation'],
    searchHint: 'format or re-indent a file with the editor’s formatter',
  },
  validate: (input, ports) =>
    refusalOf(() => askedBeforeGates(NAME, input.path, ports, () => scopeOf(input, ports))),
  touches: async ({ path }, ports) =>
    touchesAt(await locate(NAME, path, ports), { kind: 'write', operation: 'modify' }),
  summarize: ({ path, range }) =>
    range === undefined
      ? t('Format {0}', path)
      : t('Format the lines {1} to {2} of {0}', path, String(range.from), String(range.to)),
  async preview(input, ports) {
    const { edit } = await plans.look(input, ports);
    return changesDisplay(edit, input.path);
  },
  async execute(input, context) {
    demandAuthorization(context, NAME);
    const { edit } = await plans.again(input, context);
    const path = showPath(input.path);
    if (edit.ready.length === 0)
      return `Nothing to format in ${path}: either it is formatted already, or no formatter of the editor takes it; the editor doesn't say which.`;
    context.signal.throwIfAborted();
    const applied = await applyEdit(NAME, edit, context);
    return editResult(`Formatted ${path}`, edit, applied, { title: input.path, unfinished: '' });
  },
};

async function scopeOf(
  { path, range }: Input,
  ports: ToolPorts,
): Promise<AskedFile & { readonly range: TextRange | undefined }> {
  refuseUnsaved(NAME, await locateFile(NAME, path, ports), ports);
  const asked = await askedFile(NAME, path, ports);
  if (range === undefined) return { ...asked, range };
  const lines = splitLines(asked.file.text);
  const last = lines[range.to - 1];
  if (last === undefined || range.from > range.to)
    throw rejected(NAME, `${showPath(path)} has lines 1 to ${lines.length}; give a range among them`);
  const start = { line: range.from - 1, column: 0 };
  return { ...asked, range: { start, end: { line: range.to - 1, column: last.length } } };
}

async function planOf(input: Input, ports: ToolPorts, signal: AbortSignal) {
  const ask = async () => {
    const { file, range } = await scopeOf(input, ports);
    const files = known(NAME, await ports.intelligence.format(file, range, signal));
    return { files, created: [], moved: [], elsewhere: [] };
  };
  return editPlan(NAME, ask, ports, signal);
}
