import { blockWords } from '#gates/hooks/report';
import type { HookRunner } from '#gates/hooks/runner';

/** The conversation is about to be summarised. Why it isn't to be; undefined when it may. */
export async function atCompaction(
  hooks: HookRunner,
  trigger: 'manual' | 'auto',
  focus: string,
): Promise<string | undefined> {
  const { reports } = await hooks.run({
    event: 'PreCompact',
    names: [trigger],
    fields: async () => ({ trigger, custom_instructions: focus }),
  });
  return blockWords(reports).join('\n') || undefined;
}
