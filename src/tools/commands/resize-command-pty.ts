import { z } from 'zod';
import { refusalOf, rejected } from '#tools/refusal';
import { demandAuthorization, type ToolDefinition, ToolFailure, type ToolPorts } from '#tools/tool';
import { background, runningCommand } from './background-words';
import { demandToken } from './command-input';

const NAME = 'resize_command_pty';

const inputSchema = z.strictObject({
  id: z.string(),
  token: z.string().describe('From start_command or command_terminal_capabilities'),
  columns: z.number().int().min(2).max(1000),
  rows: z.number().int().min(2).max(1000),
});
type Input = z.infer<typeof inputSchema>;

/** Changes how large the terminal of a background command is. */
export const resizeCommandPty: ToolDefinition<Input> = {
  name: NAME,
  description: 'Changes the size of the PTY of a background command; what runs in it is told.',
  risk: 'execute',
  capabilities: ['process.execute'],
  concurrencySafe: false,
  inputSchema,
  origin: { kind: 'built-in' },
  validate: (input, ports) => refusalOf(async () => check(input, ports)),
  touches: async () => [],
  summarize: ({ id, columns, rows }) => `${id}: ${columns}x${rows}`,
  async execute(input, context) {
    demandAuthorization(context, NAME);
    check(input, context);
    const { id, token, columns, rows } = input;
    const resized = background(context.background, NAME).resize(id, token, { columns, rows });
    if (!resized.ok) throw new ToolFailure(`${NAME}: ${resized.error}`);
    return `${id} has ${columns} columns and ${rows} rows now.`;
  },
};

function check({ id, token }: Input, ports: ToolPorts): void {
  const command = runningCommand(NAME, id, ports.background);
  if (!command.terminal) throw rejected(NAME, `${id} was started without a PTY and has no size`);
  demandToken(NAME, command, token);
}
