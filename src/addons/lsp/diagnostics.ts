import { z } from 'zod';
import { t } from '#base/l10n';
import { SEVERITIES } from '#host/language/problems';
import { kindWords, locate, statAt, touchesAt } from '#tools/files/place';
import { quotePath, type ResolvedPath, showPath } from '#tools/paths';
import { refusalOf, rejected } from '#tools/refusal';
import type { ToolContext, ToolDefinition, ToolPorts } from '#tools/tool';
import { known } from './answer-words';
import { askedFile } from './asked-file';
import { type Listed, listProblems, problemResult } from './problem-list';

const NAME = 'diagnostics';

const inputSchema = z.strictObject({
  path: z.string().min(1).optional().describe('File or folder; the workspace when absent'),
  severity: z.enum(SEVERITIES).optional().describe('This and graver; warning when absent'),
  sinceTurn: z.boolean().optional().describe('Only what is new since this turn first changed a file'),
});
type Input = z.infer<typeof inputSchema>;

/** Errors and warnings as the editor's language servers know them. */
export const diagnostics: ToolDefinition<Input> = {
  name: NAME,
  description:
    "Errors and warnings of the editor's language servers. The answer says which files were looked at: those without a tab often are not.",
  risk: 'read',
  capabilities: ['filesystem.read'],
  concurrencySafe: true,
  inputSchema,
  origin: { kind: 'built-in' },
  validate: (input, ports) => refusalOf(() => scopeOf(input, ports)),
  touches: async (input, ports) => touchesAt(await locate(NAME, input.path ?? '.', ports), { kind: 'read' }),
  summarize: ({ path }) =>
    path === undefined ? t('Look at the problems') : t('Look at the problems of {0}', path),
  async execute(input, context) {
    const { place, isFile } = await scopeOf(input, context);
    const listed = input.sinceTurn
      ? await sinceTurn(place, context)
      : isFile
        ? await ofFile(place, context)
        : await ofFolder(place, context);
    return problemResult(listed, { place, severity: input.severity ?? 'warning' }, context);
  },
};

async function scopeOf(
  { path = '.' }: Input,
  ports: ToolPorts,
): Promise<{ readonly place: ResolvedPath; readonly isFile: boolean }> {
  const place = await locate(NAME, path, ports);
  if (ports.documents.dirtyText(place.absolute) !== undefined) return { place, isFile: true };
  const kind = (await statAt(place, ports))?.kind;
  if (kind === undefined) throw rejected(NAME, `${quotePath(path)} does not exist; find it with glob_files`);
  if (kind !== 'file' && kind !== 'folder') throw rejected(NAME, `${quotePath(path)} is ${kindWords(kind)}`);
  return { place, isFile: kind === 'file' };
}

async function ofFile(place: ResolvedPath, context: ToolContext): Promise<Listed> {
  const { file } = await askedFile(NAME, place.relative, context);
  const found = known(NAME, await context.intelligence.problems(file, context.signal));
  const path = showPath(place.relative);
  if (found === undefined) {
    const notes = [
      `Not known: ${path} has no tab in the editor, and its language server only looks at files that have one. The user can open it.`,
    ];
    return { files: [], notes, isKnown: false };
  }
  const notes =
    found.by === 'reported'
      ? [`${path} has no tab: only what was reported of it is known; there may be more.`]
      : [];
  return { files: [found], notes, isKnown: found.by !== 'reported' };
}

async function ofFolder(place: ResolvedPath, context: ToolContext): Promise<Listed> {
  const { intelligence, signal } = context;
  const { files, tabs, asked } = known(NAME, await intelligence.problemsUnder(place.absolute, signal));
  const looked = [
    ...(tabs > 0 ? [`${tabs} with a tab in the editor`] : []),
    ...(asked.files > 0 ? [`${asked.files} of ${asked.of} TypeScript files without one`] : []),
  ];
  const words =
    looked.length === 0
      ? 'No file there that a language server looks at has a tab, so hardly any was looked at; ask about single files, or run the project’s own check.'
      : `Looked at: ${looked.join(' and ')}. Other files are listed only where a server told of them by itself.`;
  return { files, notes: [words], isKnown: looked.length > 0 };
}

/** What is new since the turn's first change by a file tool; what commands changed before that counts as old. */
async function sinceTurn(place: ResolvedPath, context: ToolContext): Promise<Listed> {
  const { intelligence, signal, turnId } = context;
  const found = known(NAME, await intelligence.problemsOfTurn(turnId, signal));
  if (found === undefined)
    return {
      files: [],
      notes: ['This turn has not changed a file with its tools yet, so there is nothing to compare with.'],
      isKnown: false,
    };
  const compared = found.changed.flatMap(({ path, problems }) =>
    problems === undefined ? [] : [{ path, by: 'asked' as const, problems }],
  );
  const unclear = found.changed.filter(({ problems }) => problems === undefined).map(({ path }) => path);
  const all = await listProblems([...compared, ...found.others], context, place);
  const unclearNames = (
    await listProblems(
      unclear.map((path) => ({ path, by: 'asked', problems: [] })),
      context,
      place,
    )
  ).map(({ shown }) => shown);
  const notes = [
    'New since this turn first changed a file: compared are the files it changed with its tools, and all that the editor’s list of problems holds.',
    ...(unclearNames.length > 0
      ? [
          `What is new is not known of ${unclearNames.slice(0, 10).join(', ')}${unclearNames.length > 10 ? ' and more' : ''}.`,
        ]
      : []),
  ];
  return { files: all.map(({ file }) => file), notes, isKnown: compared.length > 0 || all.length > 0 };
}
