import { basename, dirname } from 'node:path/posix';
import { z } from 'zod';
import { counted, t } from '#base/l10n';
import { foldName } from '#base/text';
import type { RelativePath } from '#protocol/ids';
import type { Display } from '#protocol/tool-result';
import { decodeText } from '#tools/decode-text';
import { diffDisplay } from '#tools/diff';
import { absolutePath, lexicalPath, quotePath, showPath } from '#tools/paths';
import { orFail, refusalOf, rejected } from '#tools/refusal';
import { demandAuthorization, type ToolDefinition, type ToolPorts } from '#tools/tool';
import { refuseUnsaved } from './editable';
import { type ImportUpdate, importUpdates, writeImports } from './imports';
import { type ExistingFile, locate, locateEntry, refuseFolderName, touchesAt } from './place';
import { know } from './settle';

const NAME = 'rename_file';

const inputSchema = z.strictObject({
  from: z.string().min(1).describe('Relative to the workspace folder'),
  to: z.string().min(1).describe('The new path; nothing may be there; missing parent folders are made'),
});
type Input = z.infer<typeof inputSchema>;

/** Renames or moves one regular file. */
export const renameFile: ToolDefinition<Input> = {
  name: NAME,
  description:
    'Renames or moves one file. Where a language server of the editor knows how, imports of it and in it are updated along; the result says so.',
  risk: 'workspace-write',
  capabilities: ['filesystem.read', 'filesystem.write'],
  concurrencySafe: false,
  inputSchema,
  origin: { kind: 'built-in' },
  validate: (input, ports) => refusalOf(() => plan(input, ports)),
  async touches(input, ports) {
    const { from, to, link } = await plan(input, ports);
    const how = { kind: 'write', operation: 'rename' } as const;
    // A file moved away from where a rule guards its content could be read there: to move is to read.
    const ends = [...touchesAt(from, { kind: 'read' }), ...touchesAt(from, how), { ...how, path: to }];
    return link === undefined ? ends : [...ends, { ...how, path: link }];
  },
  summarize: (input) => t('Rename {0} to {1}', input.from, input.to),
  preview: async (input, ports) => displayOf(await plan(input, ports)),
  async execute(input, context) {
    demandAuthorization(context, NAME);
    const { from, to } = await plan(input, context);
    const { bytes, sha256 } = orFail(NAME, await context.files.read(from.absolute));
    const seen = context.reads.seen(from.relative);
    const target = { relative: to, absolute: absolutePath(context.workspace, to) };
    const text = await textOf(bytes, from, context);
    const updates = await importUpdates({ tool: NAME, from, to: target }, text, context);
    context.signal.throwIfAborted();
    const { notes } = orFail(NAME, await context.writer.rename(from.relative, to, sha256));
    context.reads.forget(from.relative);
    // The content is the same, so what was seen of it still counts, as far as the records can tell.
    if (seen) know(to, seen.sha256, { text, whole: seen.whole }, context);
    const imports = await writeImports(NAME, updates.ready, context);
    const own = updates.ready.find(({ path }) => path === to);
    return {
      version: 1,
      status: 'success',
      content: [
        `Renamed ${showPath(from.relative)} to ${showPath(to)}.`,
        ...notes,
        ...(imports.updated.length > 0
          ? [`Updated the imports in ${imports.updated.map(showPath).join(', ')}.`]
          : []),
        ...updates.left,
        ...imports.notes,
      ].join('\n'),
      display: displayOf({ from, to }, own, imports.updated.length),
    };
  },
};

interface Plan {
  readonly from: ExistingFile;
  readonly to: RelativePath;
  /** The target as it was named, when a link stands between. */
  readonly link?: RelativePath;
}

async function plan(input: Input, ports: ToolPorts): Promise<Plan> {
  const from = await locateEntry(NAME, input.from, ports);
  refuseUnsaved(NAME, from, ports);
  refuseFolderName(NAME, input.to);
  const to = await locate(NAME, input.to, ports);
  if (to.relative === from.relative && to.link === undefined)
    throw rejected(NAME, 'from and to are the same file');
  const named = lexicalPath(input.to, ports.workspace.root);
  if (!named.ok) throw rejected(NAME, named.error);
  if (!to.exists) return { from, to: to.relative, ...(to.link === undefined ? {} : { link: to.link }) };
  const target = await ports.files.stat(absolutePath(ports.workspace, named.value));
  const sameFile = target === undefined || target.identity === from.stat.identity;
  if (!sameFile || !isRespelled(from.relative, named.value))
    throw rejected(NAME, `${quotePath(input.to)} exists already; choose another name, or delete it first`);
  return { from, to: named.value };
}

async function textOf(bytes: Uint8Array, from: ExistingFile, { encodings }: ToolPorts): Promise<string> {
  const decoded = await decodeText(bytes, from.absolute, encodings);
  return decoded.ok ? decoded.value.text : '';
}

/** Where letters' case or the form of accents makes no second name, the new spelling is "there" already: it is the file itself. */
function isRespelled(from: string, to: string): boolean {
  return from !== to && dirname(from) === dirname(to) && foldName(basename(from)) === foldName(basename(to));
}

function displayOf({ from, to }: Plan, own?: ImportUpdate, updated = 0): Display {
  const display = diffDisplay({
    path: to,
    operation: 'rename',
    from: from.relative,
    before: own?.before,
    after: own?.after,
  });
  if (updated === 0) return display;
  return {
    ...display,
    fields: [{ key: t('Imports updated'), value: counted(updated, '{0} file', '{0} files') }],
  };
}
