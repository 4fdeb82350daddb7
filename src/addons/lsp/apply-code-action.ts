import { z } from 'zod';
import { t } from '#base/l10n';
import { oneLine } from '#base/text';
import { touchesAt } from '#tools/files/place';
import { showPath } from '#tools/paths';
import { refusalOf, rejected } from '#tools/refusal';
import { demandAuthorization, type ToolDefinition, type ToolPorts } from '#tools/tool';
import { listActions, rangeFields } from './action-list';
import { allowed } from './allowed';
import { applyEdit } from './apply-edit';
import { type AskedFile, openBeforeGates } from './asked-file';
import { type EditPlan, editPlan, touchesOf } from './edit-plan';
import { changesDisplay, editResult } from './edit-result';
import { CHANGES } from './tool-heads';

const NAME = 'apply_code_action';
const LONGEST = 160;

const inputSchema = z.strictObject({
  ...rangeFields,
  id: z.string().min(1).max(20).describe('As code_actions listed it for these very lines'),
});
type Input = z.infer<typeof inputSchema>;

interface ActionPlan {
  readonly asked: AskedFile;
  readonly title: string;
  readonly edit: EditPlan;
}

const plans = allowed<Input, ActionPlan>(NAME, plan);

/** Does one of the things that language servers offer. */
export const applyCodeAction: ToolDefinition<Input> = {
  ...CHANGES,
  name: NAME,
  description:
    'Applies one code action by its id, exactly as code_actions listed it; give the same place and kind. Only its edit is done, no command of a server is run.',
  inputSchema,
  searchMetadata: {
    aliases: ['apply_quick_fix', 'apply_refactoring'],
    tags: ['lsp', 'language server', 'refactoring', 'fix'],
    searchHint: 'apply an automatic fix or refactoring that code_actions listed',
  },
  validate: (input, ports) => refusalOf(() => plans.look(input, ports)),
  async touches(input, ports) {
    const { asked, edit } = await plans.look(input, ports);
    return [...touchesAt(asked.place, { kind: 'read' }), ...touchesOf(edit, asked.place.relative)];
  },
  summarize: ({ path, line, id }) => t('Apply the code action {0} at {1}:{2}', id, path, String(line)),
  async preview(input, ports) {
    const { title, edit } = await plans.look(input, ports);
    return changesDisplay(edit, title);
  },
  async execute(input, context) {
    demandAuthorization(context, NAME);
    const { title, edit } = await plans.again(input, context);
    context.signal.throwIfAborted();
    const applied = await applyEdit(NAME, edit, context);
    return editResult(`Applied ${JSON.stringify(title)}`, edit, applied, {
      title,
      unfinished:
        'The action is done in part only, so something may be broken: look at the files before you go on.',
    });
  },
};

async function plan(input: Input, ports: ToolPorts, signal: AbortSignal): Promise<ActionPlan> {
  await openBeforeGates(NAME, input.path, ports);
  const { asked, listed } = await find(input, ports, signal);
  const title = oneLine(listed.action.title, LONGEST);
  let first = true;
  const ask = async () => {
    // The edit is known already; a second try asks for the action anew.
    if (!first) return (await find(input, ports, signal)).listed.action.edit;
    first = false;
    return listed.action.edit;
  };
  const edit = await editPlan(NAME, ask, ports, signal);
  if (edit.ready.length + edit.created.length === 0)
    throw rejected(
      NAME,
      [`${JSON.stringify(title)} would change nothing that may be changed`, ...edit.left].join('. '),
    );
  return { asked, title, edit };
}

async function find(input: Input, ports: ToolPorts, signal: AbortSignal) {
  const { id, ...range } = input;
  const { asked, listed } = await listActions(NAME, range, ports, signal);
  const found = listed.find((each) => each.id === id);
  if (found !== undefined) return { asked, listed: found };
  const where = `${showPath(asked.place.relative)}:${input.line}`;
  throw rejected(
    NAME,
    `no code action at ${where} is ${JSON.stringify(id)} (any more); list them again with code_actions`,
  );
}
