import { messageOf } from '#base/result';
import type { Mention } from '#protocol/message';
import { readFile } from '#tools/files/read-file';
import { showPath } from '#tools/paths';
import type { ToolContext } from '#tools/tool';

/** Most files that one message may attach. */
const MOST = 50;

/**
 * The text of what a person attached, as `read_file` shows it; what was shown counts as read. A file that can't be read is
 * named with the reason, so that neither the person nor the model waits for it.
 */
export async function attachMentions(mentions: readonly Mention[], context: ToolContext): Promise<string> {
  const parts: string[] = [];
  for (const { path } of mentions.slice(0, MOST)) parts.push(await attachFile(path, context));
  if (mentions.length > MOST) parts.push(`(${mentions.length - MOST} more files were attached and left out)`);
  return parts.join('\n\n');
}

async function attachFile(path: string, context: ToolContext): Promise<string> {
  const shown = showPath(path);
  try {
    const problem = await readFile.validate?.({ path }, context);
    if (problem) return `(the attached file ${shown} could not be read: ${problem})`;
    const result = await readFile.execute({ path }, context);
    const text = typeof result === 'string' ? result : result.content;
    const unseen = typeof result !== 'string' && result.images ? '\n(to see it, read it with read_file)' : '';
    return `The person attached ${shown}:\n${text}${unseen}`;
  } catch (error) {
    return `(the attached file ${shown} could not be read: ${messageOf(error)})`;
  }
}
