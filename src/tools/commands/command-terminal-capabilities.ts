import { z } from 'zod';
import type { ToolDefinition } from '#tools/tool';
import { commandOf } from './background-words';

const NAME = 'command_terminal_capabilities';
const inputSchema = z.strictObject({ id: z.string() });

/** Says whether a command has a terminal, and whether the agent may type into it now. */
export const commandTerminalCapabilities: ToolDefinition<z.infer<typeof inputSchema>> = {
  name: NAME,
  description:
    'Tells whether a background command has a PTY, its size, and the token that command_input and resize_command_pty need. The user may take over the keyboard; then there is no token.',
  risk: 'read',
  capabilities: ['session.read'],
  concurrencySafe: true,
  inputSchema,
  origin: { kind: 'built-in' },
  touches: async () => [],
  summarize: ({ id }) => id,
  async execute({ id }, context) {
    const { terminal, isRunning, ending } = commandOf(NAME, id, context.background);
    if (!isRunning) return `${id} has ended (${ending}); nothing can be typed into it.`;
    if (!terminal) return `${id} was started without a PTY: it has no input and no size.`;
    const size = `${id} has a PTY of ${terminal.columns} columns and ${terminal.rows} rows.`;
    return terminal.token === undefined
      ? `${size} The user has taken over the keyboard: nothing can be typed or resized until they give it back.`
      : `${size} The keyboard is yours; token: ${JSON.stringify(terminal.token)}`;
  },
};
