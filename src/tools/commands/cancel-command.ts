import { z } from 'zod';
import { refusalOf } from '#tools/refusal';
import { demandAuthorization, type ToolDefinition } from '#tools/tool';
import { background, commandOf, runningCommand } from './background-words';

const NAME = 'cancel_command';
const inputSchema = z.strictObject({ id: z.string() });

/** Ends a background command and all that it started. */
export const cancelCommand: ToolDefinition<z.infer<typeof inputSchema>> = {
  name: NAME,
  description: 'Ends a background command and every process that it started.',
  risk: 'execute',
  capabilities: ['process.execute'],
  concurrencySafe: false,
  inputSchema,
  origin: { kind: 'built-in' },
  validate: ({ id }, ports) => refusalOf(async () => runningCommand(NAME, id, ports.background)),
  touches: async () => [],
  summarize: ({ id }) => id,
  async execute({ id }, context) {
    demandAuthorization(context, NAME);
    const commands = background(context.background, NAME);
    runningCommand(NAME, id, commands);
    await commands.cancel(id);
    return `${id}: ${commandOf(NAME, id, commands).ending ?? 'ended'}.`;
  },
};
