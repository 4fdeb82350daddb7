import { z } from 'zod';
import type { ToolDefinition } from '#tools/tool';
import { commandOf, statusWords } from './background-words';

const NAME = 'command_status';
const inputSchema = z.strictObject({ id: z.string() });

/** Says how one background command is. */
export const commandStatus: ToolDefinition<z.infer<typeof inputSchema>> = {
  name: NAME,
  description: 'Tells whether a background command runs or how it ended. To wait for it, use command_output.',
  risk: 'read',
  capabilities: ['session.read'],
  concurrencySafe: true,
  inputSchema,
  origin: { kind: 'built-in' },
  touches: async () => [],
  summarize: ({ id }) => id,
  execute: async ({ id }, context) => statusWords(commandOf(NAME, id, context.background)),
};
