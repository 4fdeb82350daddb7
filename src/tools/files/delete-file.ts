import { z } from 'zod';
import { t } from '#base/l10n';
import { decodeText } from '#tools/decode-text';
import { diffDisplay } from '#tools/diff';
import { showPath } from '#tools/paths';
import { orFail, refusalOf } from '#tools/refusal';
import { WRITE_LIMIT } from '#tools/text-file';
import { demandAuthorization, type ToolDefinition, type ToolPorts } from '#tools/tool';
import { refuseUnsaved } from './editable';
import { type ExistingFile, locateEntry, touchesAt } from './place';

const NAME = 'delete_file';

const inputSchema = z.strictObject({ path: z.string().min(1).describe('Relative to the workspace folder') });
type Input = z.infer<typeof inputSchema>;

/** Removes one regular file; its content stays in the turn's checkpoint. */
export const deleteFile: ToolDefinition<Input> = {
  name: NAME,
  description: 'Deletes one file, no folders. The user can bring it back from the checkpoint.',
  risk: 'workspace-write',
  capabilities: ['filesystem.read', 'filesystem.write'],
  concurrencySafe: false,
  inputSchema,
  origin: { kind: 'built-in' },
  validate: (input, ports) => refusalOf(() => find(input.path, ports)),
  touches: async (input, ports) =>
    touchesAt(await find(input.path, ports), { kind: 'write', operation: 'delete' }),
  summarize: (input) => t('Delete {0}', input.path),
  preview: async (input, ports) => displayOf(await find(input.path, ports), ports),
  async execute(input, context) {
    demandAuthorization(context, NAME);
    const file = await find(input.path, context);
    const display = await displayOf(file, context);
    const { sha256 } = orFail(NAME, await context.files.read(file.absolute));
    context.signal.throwIfAborted();
    const { notes } = orFail(NAME, await context.writer.delete(file.relative, sha256));
    context.reads.forget(file.relative);
    const words = `Deleted ${showPath(file.relative)}.`;
    return { version: 1, status: 'success', content: [words, ...notes].join('\n'), display };
  },
};

async function find(path: string, ports: ToolPorts): Promise<ExistingFile> {
  const file = await locateEntry(NAME, path, ports);
  refuseUnsaved(NAME, file, ports);
  return file;
}

async function displayOf(file: ExistingFile, ports: ToolPorts) {
  const read = await ports.files.read(file.absolute, { maxBytes: WRITE_LIMIT });
  const decoded =
    read.ok && !read.value.more
      ? await decodeText(read.value.bytes, file.absolute, ports.encodings)
      : undefined;
  const before = decoded?.ok ? decoded.value.text : undefined;
  return diffDisplay({ path: file.relative, operation: 'delete', before, after: undefined });
}
