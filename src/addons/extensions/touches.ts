import { z } from 'zod';
import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import { revealInvisible, truncate } from '#base/text';
import type { ExtensionTool } from '#host/extension-tools';
import type { Touch } from '#protocol/tool-call';
import { resolveWorkspacePath, showPath } from '#tools/paths';
import { ToolFailure, type ToolPorts } from '#tools/tool';
import { withinTime } from './time-limit';

const MOST = 100;
/** Milliseconds for saying what a call would touch. */
const PATIENCE = 5000;

const path = z.string().min(1).max(4096);
const touchesSchema = z
  .array(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('read'), path }),
      z.object({
        kind: z.literal('write'),
        path,
        operation: z.enum(['create', 'modify', 'delete', 'rename']).default('modify'),
      }),
      z.object({ kind: z.literal('reach'), host: z.string().min(1).max(253) }),
    ]),
  )
  .max(MOST);

/** What the tool says that this call would touch, parsed. A tool that can't say it doesn't run. */
export async function touchesOf(tool: ExtensionTool, input: unknown): Promise<readonly Touch[]> {
  const { declared } = tool;
  if (!declared?.touches) return [];
  try {
    const said: unknown = await withinTime(async () => declared.touches?.(structuredClone(input)), PATIENCE);
    const parsed = touchesSchema.safeParse(said);
    if (parsed.success) return parsed.data;
    throw new Error(parsed.error.issues[0]?.message ?? 'not a list of touches');
  } catch (error) {
    const why = truncate(revealInvisible(messageOf(error)), 200);
    throw new ToolFailure(
      `${tool.name}: ${tool.owner} could not say what this call would touch (${why}), so it did not run. Go on without this tool.`,
      { code: 'rejected_arguments' },
    );
  }
}

/** Files that it names outside the folder: our own tools never get there, so a person sees it. */
export async function outsideWords(
  touches: readonly Touch[],
  { workspace, files }: Pick<ToolPorts, 'workspace' | 'files'>,
): Promise<readonly string[]> {
  const words: string[] = [];
  for (const touch of touches) {
    if (touch.kind !== 'read' && touch.kind !== 'write') continue;
    const found = await resolveWorkspacePath(touch.path, workspace, files);
    if (!found.ok) words.push(t('{0} is not in this folder', showPath(touch.path)));
  }
  return words;
}
