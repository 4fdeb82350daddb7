import { z } from 'zod';
import type { RelativePath } from '#protocol/ids';
import type { Display, ToolResult } from '#protocol/tool-result';
import { refusalOf } from '#tools/refusal';
import { demandAuthorization, type ToolContext, type ToolDefinition } from '#tools/tool';
import type { BackgroundStatus } from './background';
import { background } from './background-words';
import { type CommandLine, checkedLine, lineTouches } from './command-line';

const NAME = 'start_command';

const inputSchema = z.strictObject({
  command: z.string().describe('A bash command line'),
  description: z.string().min(1).describe('What it does, in plain words; the user reads it'),
  cwd: z.string().optional().describe('Folder to run in; the workspace folder when absent'),
  network: z.boolean().optional().describe('Ask for the network; else there is none'),
  pty: z.boolean().optional().describe('Give it a terminal: for REPLs and what asks questions'),
});
type Input = z.infer<typeof inputSchema>;

/** Starts a command that runs beside the conversation, confined as the gates decided. */
export const startCommand: ToolDefinition<Input> = {
  name: NAME,
  description:
    'Starts a command that keeps running while you go on (server, watcher, REPL) and returns its id. It outlives the turn and ends with the window; you are told when it ends. Read it with command_output.',
  risk: 'execute',
  capabilities: ['process.execute', 'filesystem.read', 'filesystem.write'],
  concurrencySafe: false,
  inputSchema,
  origin: { kind: 'built-in' },
  validate: (input, ports) => refusalOf(() => checkedLine(NAME, input, ports)),
  touches: (input, ports) => lineTouches(NAME, input, ports),
  summarize: (input) => input.command,
  async execute(input, context) {
    demandAuthorization(context, NAME);
    const cwd = await checkedLine(NAME, input, context);
    context.signal.throwIfAborted();
    return startBackground(NAME, { ...input, cwd, pty: input.pty ?? false }, context);
  },
};

/** The same for whichever tool was asked. */
export async function startBackground(
  tool: string,
  {
    command,
    description,
    cwd,
    network = false,
    pty,
  }: CommandLine & { readonly cwd: RelativePath; readonly pty: boolean },
  context: ToolContext,
): Promise<ToolResult> {
  const commands = background(context.background, tool);
  const started = await commands.start({ command, description, cwd, network, pty });
  return { version: 1, status: 'success', content: startedWords(started), display: displayOf(started) };
}

function startedWords({ id, terminal }: BackgroundStatus): string {
  const output = `command_output {"id": "${id}", "offset": 0, "waitMs": 5000} reads what it prints; cancel_command {"id": "${id}"} ends it.`;
  if (!terminal) return `Started as ${id}. ${output}`;
  return `Started as ${id} in a PTY of ${terminal.columns}x${terminal.rows}. ${output} command_input needs the token ${JSON.stringify(terminal.token)}; once the user has typed into its terminal it is void.`;
}

function displayOf({ id, command, sandbox }: BackgroundStatus): Display {
  return {
    kind: 'command',
    title: command,
    fields: [
      { key: 'id', value: id },
      { key: 'sandbox', value: sandbox },
    ],
    command,
    body: '',
  };
}
