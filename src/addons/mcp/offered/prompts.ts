import { z } from 'zod';
import type { ManagedServer } from '#addons/mcp/life/managed-server';
import { type Content, readContent } from '#addons/mcp/tools/content';
import { legalName } from '#addons/mcp/tools/names';
import type { ContributedPrompt, ContributedText } from '#agent/contribution';
import { t } from '#base/l10n';
import { fail, ok, type Result } from '#base/result';
import { revealInvisible, truncate } from '#base/text';

const MOST_WORDS = 500;
const MOST_ARGUMENTS = 50;

const words = z.string().optional().catch(undefined);
const promptSchema = z.object({
  name: z.string().min(1).max(1000),
  description: words,
  arguments: z
    .array(
      z.object({
        name: z.string().min(1),
        description: words,
        required: z.boolean().optional().catch(undefined),
      }),
    )
    .max(MOST_ARGUMENTS)
    .optional()
    .catch(undefined),
});
const answerSchema = z.object({
  messages: z.array(z.object({ role: z.string().catch('user'), content: z.unknown().optional() })),
});

/** The prompts of one server, each as a person calls it with a slash. One that can't be read costs itself alone. */
export function promptsOf(server: ManagedServer): readonly ContributedPrompt[] {
  return server.life.inventory.prompts.flatMap((listed) => {
    const prompt = promptSchema.safeParse(listed);
    return prompt.success ? [promptOf(prompt.data, server)] : [];
  });
}

function promptOf(prompt: z.output<typeof promptSchema>, server: ManagedServer): ContributedPrompt {
  const { name: own, timeoutMs } = server.found.config;
  return {
    name: legalName({ server: own, tool: prompt.name }),
    owner: t('the MCP server {0}', own),
    description: plain(prompt.description ?? ''),
    arguments: (prompt.arguments ?? []).map(({ name, description = '', required = false }) => ({
      name,
      description: plain(description),
      required,
    })),
    async expand(values, signal): Promise<Result<ContributedText, string>> {
      const connection = await server.life.ready(signal);
      if (!connection.ok) return connection;
      const answer = await connection.value.getPrompt(prompt.name, values, { signal, timeoutMs });
      return answer.ok ? textOf(answer.value) : fail(answer.error.words);
    },
  };
}

/** A conversation that a server proposes becomes one message; who is meant to have said what is written before it. */
function textOf(answer: unknown): Result<ContributedText, string> {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) return fail(t('its answer can’t be read'));
  const contents = parsed.data.messages.map(({ role, content }) => ({
    role,
    ...readContent(listOf(content)),
  }));
  const texts = contents.map(({ role, text }) => (role === 'user' ? text : `${plain(role)}: ${text}`));
  const images = contents.flatMap((content: Content) => content.images);
  return ok({ text: texts.join('\n\n'), images });
}

function listOf(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? content : [content];
}

function plain(text: string): string {
  return truncate(revealInvisible(text).replace(/\s+/g, ' '), MOST_WORDS);
}
