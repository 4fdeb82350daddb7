import { z } from 'zod';
import { t } from '#base/l10n';
import { revealInvisible } from '#base/text';
import { forbidden } from '#commands/forbidden';
import { understand } from '#commands/grammar';
import { refusalOf, rejected } from '#tools/refusal';
import { demandAuthorization, type ToolDefinition, ToolFailure, type ToolPorts } from '#tools/tool';
import type { BackgroundStatus } from './background';
import { background, runningCommand } from './background-words';

const NAME = 'command_input';
const LONGEST = 10_000;

const inputSchema = z.strictObject({
  id: z.string(),
  token: z.string().describe('From start_command or command_terminal_capabilities'),
  text: z.string().describe('Typed exactly as it is: end a line with \\n; \\u0003 is Ctrl+C'),
});
type Input = z.infer<typeof inputSchema>;

/** Why a person should look at the line themselves. */
const DOUBTS = {
  keys: () => t('it has keys that edit the line, so what the shell will run can’t be known'),
  history: () => t('that shell may put an earlier command or another key’s meaning in its place'),
  comment: () => t('to that shell “#” may begin no comment, so that what follows it runs'),
} as const;

/** Types into the terminal of a background command. What a shell would make of it is judged like any command. */
export const commandInput: ToolDefinition<Input> = {
  name: NAME,
  description:
    'Types text into a background command that has a PTY. What a shell would run is judged like any other command. Read the answer with command_output.',
  risk: 'execute',
  capabilities: ['process.execute', 'filesystem.read', 'filesystem.write'],
  concurrencySafe: false,
  inputSchema,
  origin: { kind: 'built-in' },
  validate: (input, ports) => refusalOf(async () => checked(input, ports)),
  async touches({ id, text }, ports) {
    const command = runningCommand(NAME, id, ports.background);
    const line = ports.background?.typing(id, text).line ?? text;
    // A program that is no shell has a language of its own: a person reads the text, rules can't.
    const judged = command.isShell ? line : forbiddenLine(line, text, ports);
    if (judged.trim() === '') return [];
    const description = t('Typed into {0} ({1})', id, command.command);
    return [
      { kind: 'execute', command: judged.trim(), cwd: command.cwd, network: false, description, typed: true },
    ];
  },
  summarize: ({ id, text }) => `${id} ← ${revealInvisible(text)}`,
  async concerns({ id, text }, ports) {
    const doubt = ports.background?.get(id)?.isShell ? ports.background.typing(id, text).doubt : undefined;
    return doubt === undefined ? [] : [DOUBTS[doubt]()];
  },
  async execute(input, context) {
    demandAuthorization(context, NAME);
    checked(input, context);
    context.signal.throwIfAborted();
    const typed = background(context.background, NAME).input(input.id, input.token, input.text);
    if (!typed.ok) throw new ToolFailure(`${NAME}: ${typed.error}`);
    return `Typed ${input.text.length} characters into ${input.id}.`;
  },
};

/** Any program may have become a shell by now: a line that is never run isn't typed into it either. Empty when there is none. */
function forbiddenLine(whole: string, text: string, { workspace, environment }: ToolPorts): string {
  const place = { workspaceRoot: workspace.root, home: environment.home, shell: 'bash' } as const;
  const typed = whole.split('\n').slice(-text.split(/[\r\n]/).length);
  const isForbidden = (line: string) => {
    const reading = understand(line, 'bash');
    return reading.understood && forbidden(line, place, reading) !== undefined;
  };
  return typed.find((line) => isForbidden(line.trim())) ?? '';
}

function checked({ id, token, text }: Input, ports: ToolPorts): BackgroundStatus {
  const command = runningCommand(NAME, id, ports.background);
  if (!command.terminal)
    throw rejected(NAME, `${id} was started without a PTY and has no input; start it again with "pty": true`);
  if (text === '') throw rejected(NAME, 'the text is empty; "\\n" is Enter');
  if (text.includes('\0')) throw rejected(NAME, 'the text contains a NUL character; leave it out');
  if (text.length > LONGEST) throw rejected(NAME, 'the text is over 10,000 characters; write it to a file');
  demandToken(NAME, command, token);
  return command;
}

/** The keyboard is one person's or the agent's, never both's. */
export function demandToken(tool: string, { id, terminal }: BackgroundStatus, token: string): void {
  if (terminal?.token === undefined)
    throw rejected(
      tool,
      `the user has taken over the keyboard of ${id}; wait until they give it back, or ask them to`,
    );
  if (terminal.token !== token)
    throw rejected(
      tool,
      `the token is not the one that holds now; the user may have typed into it, so look at command_output of ${id} first, then take the token from command_terminal_capabilities`,
    );
}
