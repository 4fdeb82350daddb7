import { z } from 'zod';
import type { ToolDefinition } from '#tools/tool';
import { background, statusWords } from './background-words';

const NAME = 'list_commands';

/** Names the session's background commands. */
export const listCommands: ToolDefinition<Record<string, never>> = {
  name: NAME,
  description: 'Lists the background commands of this session: id, state, command line.',
  risk: 'read',
  capabilities: ['session.read'],
  concurrencySafe: true,
  inputSchema: z.strictObject({}),
  origin: { kind: 'built-in' },
  touches: async () => [],
  summarize: () => 'background commands',
  async execute(_input, context) {
    const all = background(context.background, NAME).list();
    return all.length === 0 ? 'There are no background commands.' : all.map(statusWords).join('\n');
  },
};
