import { z } from 'zod';
import { t } from '#base/l10n';
import { meanwhile } from '#base/queue';
import { count } from '#base/text';
import { diffDisplay } from '#tools/diff';
import { applyEdits, type Edit, type Edited } from '#tools/edit-match';
import { NOTEBOOK_LIMIT, readNotebook, withSources } from '#tools/formats/notebook';
import { showPath } from '#tools/paths';
import { refusalOf, rejected } from '#tools/refusal';
import { demandAuthorization, type ToolDefinition, type ToolPorts } from '#tools/tool';
import { bytesOf, type Editable, readEditable } from './editable';
import { settleWithProblems } from './new-problems';
import { locate, locateFile, touchesAt } from './place';
import { planOnce } from './plan-once';
import { schemaConcerns } from './remote-schema';

const NAME = 'edit_file';

const passage = {
  oldText: z
    .string()
    .describe('The exact passage to replace, as it stands in the file, without line numbers'),
  newText: z.string().describe('What stands there instead'),
  replaceAll: z
    .boolean()
    .optional()
    .describe('Replace every occurrence; else oldText must occur exactly once'),
};

const inputSchema = z
  .strictObject({
    path: z.string().min(1).describe('Relative to the workspace folder'),
    oldText: passage.oldText.optional(),
    newText: passage.newText.optional(),
    replaceAll: passage.replaceAll,
    edits: z
      .array(z.strictObject({ oldText: z.string(), newText: z.string(), replaceAll: z.boolean().optional() }))
      .min(1)
      .max(100)
      .optional()
      .describe('Instead of oldText and newText: several edits, applied in order, all or none'),
  })
  .superRefine((input, issues) => {
    const single =
      input.oldText !== undefined || input.newText !== undefined || input.replaceAll !== undefined;
    const problem = (path: string, message: string) =>
      issues.addIssue({ code: 'custom', path: [path], message });
    if (input.edits !== undefined && single)
      problem('edits', 'give either edits or oldText and newText, not both');
    if (input.edits !== undefined) return;
    if (input.oldText === undefined) problem('oldText', 'is missing; give oldText and newText, or edits');
    if (input.newText === undefined) problem('newText', 'is missing; give oldText and newText, or edits');
  });
type Input = z.infer<typeof inputSchema>;

/** Replaces passages of a text file that the model has read. */
export const editFile: ToolDefinition<Input> = {
  name: NAME,
  description:
    'Replaces text in a file you have read and that is unchanged since. oldText must match exactly, white space included, and be unique unless replaceAll. Everything else stays byte for byte; line ends are adapted.',
  risk: 'workspace-write',
  capabilities: ['filesystem.read', 'filesystem.write'],
  concurrencySafe: false,
  inputSchema,
  origin: { kind: 'built-in' },
  validate: (input, ports) => refusalOf(() => planned(input, ports)),
  touches: async (input, ports) =>
    touchesAt(await locate(NAME, input.path, ports), { kind: 'write', operation: 'modify' }),
  summarize: (input) => t('Edit {0}', input.path),
  async concerns(input, ports) {
    const { before, edited } = await planned(input, ports);
    return schemaConcerns(before.shown, edited.text);
  },
  preview: async (input, ports) => displayOf(await planned(input, ports)),
  async execute(input, context) {
    demandAuthorization(context, NAME);
    const plan = await planned(input, context);
    const { before, edited, bytes } = plan;
    const { place, hash, whole, cells } = before;
    context.signal.throwIfAborted();
    const put = { place, bytes, text: edited.text, whole, ...(cells ? { shownAs } : {}) };
    const write = () => context.writer.replace(place.relative, bytes, hash);
    const [notes, display] = await Promise.all([
      settleWithProblems(NAME, put, write, context),
      meanwhile(() => displayOf(plan)),
    ]);
    return {
      version: 1,
      status: 'success',
      content: [words(plan), ...edited.notes, ...notes].join('\n'),
      display,
    };
  },
};

interface Plan {
  readonly before: Editable;
  readonly edited: Edited;
  readonly bytes: Uint8Array;
}

/** The preview and the write are made of the same plan. */
const planned = planOnce(makePlan, ({ before: { place } }) => ({ place, stat: place.stat }));

/** What the edit comes to with the file as it is now. */
async function makePlan(input: Input, ports: ToolPorts): Promise<Plan> {
  const edits = editsOf(input);
  if (edits.some((edit) => edit.oldText === ''))
    throw rejected(NAME, 'oldText is empty; give the passage to replace, or use write_file for a new file');
  const before = await readEditable(NAME, await locateFile(NAME, input.path, ports), ports);
  const edited = applyEdits(before.shown, edits);
  if (!edited.ok) throw rejected(NAME, `${showPath(input.path)}: ${edited.error}`);
  const { encodings } = ports;
  const path = before.place.absolute;
  const form = { form: before.file, path, encodings };
  const bytes = await (before.cells
    ? bytesOf(NAME, notebookText(before, edited.value.text), { ...form, limit: NOTEBOOK_LIMIT })
    : bytesOf(NAME, edited.value.text, form));
  return { before, edited: edited.value, bytes };
}

/** The JSON of a notebook whose cells were edited. */
function notebookText({ file, place }: Editable, cells: string): string {
  const json = withSources(file.text, cells);
  if (!json.ok) throw rejected(NAME, `${showPath(place.relative)}: ${json.error}`);
  return json.value;
}

/** What the model would see of a notebook's JSON. */
const shownAs = (json: string) => readNotebook(json)?.text ?? json;

function editsOf(input: Input): readonly Edit[] {
  const { oldText, newText, replaceAll } = input;
  return input.edits ?? [{ oldText: oldText ?? '', newText: newText ?? '', replaceAll }];
}

function displayOf({ before, edited }: Plan) {
  const path = before.place.relative;
  return diffDisplay({ path, operation: 'modify', before: before.shown, after: edited.text });
}

function words({ before, edited }: Plan): string {
  const { lines, replacements } = edited;
  const where = `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}`;
  const more = replacements > lines.length ? ' and more' : '';
  return `Edited ${showPath(before.place.relative)}: ${count(replacements, 'replacement')} at ${where}${more}.`;
}
