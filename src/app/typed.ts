import type { ContributedPrompts, PromptCall } from '#agent/contributed/prompts';
import type { Resources } from '#agent/contributed/resources';
import { parseSlash, type SlashAction, slashCommands } from '#agent/slash';
import { ok, type Result } from '#base/result';
import type { Mention } from '#protocol/message';
import type { ResourceChoice, SlashCommand } from '#protocol/panel-state';

/** What a person asked for with a slash in front: something of ours, or a prompt of others. */
export type TypedAction = SlashAction | { readonly kind: 'prompt'; readonly call: PromptCall };

/** What a person types means, and what could be meant. */
export interface Typed {
  /** Reads a prompt as a slash command; undefined when it isn't one. With attachments only prompts of others are: ours take none. */
  parseSlash(prompt: string, attachments?: readonly Mention[]): Result<TypedAction, string> | undefined;
  /** Ours, then those that contributions bring. */
  slashCommands(): readonly SlashCommand[];
  /** What can be attached besides files and fits what was typed, at most `limit`. */
  findResources(query: string, limit: number, signal: AbortSignal): Promise<readonly ResourceChoice[]>;
}

/** Our own commands win over those that others bring. */
export function typedWith(prompts: ContributedPrompts, resources: Resources): Typed {
  return {
    slashCommands: () => [...slashCommands(), ...prompts.commands()],
    parseSlash(prompt, attachments = []) {
      const own = attachments.length === 0 ? parseSlash(prompt) : undefined;
      if (own) return own;
      const call = prompts.parse(prompt);
      return call?.ok ? ok({ kind: 'prompt', call: call.value }) : call;
    },
    findResources: (query, limit, signal) => resources.find(query, limit, signal),
  };
}
