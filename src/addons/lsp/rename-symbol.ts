import { z } from 'zod';
import { t } from '#base/l10n';
import type { RelativePath } from '#protocol/ids';
import { touchesAt } from '#tools/files/place';
import { lexicalPath } from '#tools/paths';
import { refusalOf, rejected } from '#tools/refusal';
import { demandAuthorization, type ToolDefinition, type ToolPorts } from '#tools/tool';
import { allowed } from './allowed';
import { known } from './answer-words';
import { applyEdit } from './apply-edit';
import { openBeforeGates } from './asked-file';
import { type AskedPlace, askedPlace, placeFields } from './asked-place';
import { declarationOf } from './declaration';
import { type EditPlan, editPlan, touchesOf } from './edit-plan';
import { changesDisplay, editResult } from './edit-result';
import { CHANGES } from './tool-heads';

const NAME = 'rename_symbol';

const inputSchema = z.strictObject({
  ...placeFields,
  newName: z.string().min(1).max(500).describe('The new name alone'),
});
type Input = z.infer<typeof inputSchema>;

interface RenamePlan {
  readonly asked: AskedPlace;
  /** Where the thing is declared: without this file nothing is renamed. */
  readonly declaredIn: RelativePath;
  readonly edit: EditPlan;
}

const plans = allowed<Input, RenamePlan>(NAME, plan);

/** Gives a thing another name, everywhere. */
export const renameSymbol: ToolDefinition<Input> = {
  ...CHANGES,
  name: NAME,
  description:
    'Renames the thing at a place and everything that refers to it in the whole project, by the language server. Files need not have been read. The result names every file that changed or was left out.',
  inputSchema,
  searchMetadata: {
    aliases: ['rename', 'rename_identifier', 'refactor_rename'],
    tags: ['lsp', 'language server', 'refactoring', 'symbol'],
    searchHint: 'rename a function, class, variable or property in all files at once',
  },
  validate: (input, ports) => refusalOf(() => plans.look(input, ports)),
  async touches(input, ports) {
    const { asked, declaredIn, edit } = await plans.look(input, ports);
    return [...touchesAt(asked.place, { kind: 'read' }), ...touchesOf(edit, declaredIn)];
  },
  summarize: ({ symbol, path, line, newName }) =>
    symbol === undefined
      ? t('Rename what stands at {0}:{1} to {2}', path, String(line), newName)
      : t('Rename {0} in {1} to {2}', symbol, path, newName),
  async preview(input, ports) {
    const { asked, edit } = await plans.look(input, ports);
    return changesDisplay(edit, `${asked.name} → ${input.newName}`);
  },
  async execute(input, context) {
    demandAuthorization(context, NAME);
    const { asked, edit } = await plans.again(input, context);
    context.signal.throwIfAborted();
    const applied = await applyEdit(NAME, edit, context);
    return editResult(
      `Renamed ${JSON.stringify(asked.name)} to ${JSON.stringify(input.newName)}`,
      edit,
      applied,
      {
        title: `${asked.name} → ${input.newName}`,
        unfinished: `What was left still says ${JSON.stringify(asked.name)}, so it may be broken: tell the user, or mend what you may.`,
      },
    );
  },
};

async function plan(input: Input, ports: ToolPorts, signal: AbortSignal): Promise<RenamePlan> {
  await openBeforeGates(NAME, input.path, ports);
  const asked = await askedPlace(NAME, input, ports);
  if (asked.name === '') throw rejected(NAME, `no name stands at line ${input.line}, column ${input.column}`);
  if (asked.name === input.newName)
    throw rejected(NAME, `${JSON.stringify(input.newName)} is its name already`);
  const at = await declarationOf(NAME, asked, ports, signal);
  const ask = async () => known(NAME, await ports.intelligence.rename(at, input.newName, signal));
  const edit = await editPlan(NAME, ask, ports, signal);
  if (edit.ready.length + edit.created.length === 0)
    throw rejected(
      NAME,
      ['the language server would change nothing that may be changed', ...edit.left].join('. '),
    );
  const real = (await ports.files.realPath(at.path)) ?? at.path;
  const inside = lexicalPath(real, ports.workspace.root);
  return { asked, declaredIn: inside.ok ? inside.value : asked.place.relative, edit };
}
