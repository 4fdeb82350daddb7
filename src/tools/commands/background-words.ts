import { ToolFailure } from '#tools/tool';
import type { BackgroundLook, BackgroundStatus } from './background';

/** The command by that id; throws in words for the model where there is none. */
export function commandOf(tool: string, id: string, look: BackgroundLook | undefined): BackgroundStatus {
  const found = look?.get(id);
  if (found) return found;
  const ids = look?.list().map((each) => each.id) ?? [];
  const there = ids.length === 0 ? 'there are none' : `there are ${ids.join(', ')}`;
  throw new ToolFailure(
    `${tool}: there is no background command ${JSON.stringify(id)} in this session; ${there}.`,
    {
      code: 'rejected_arguments',
      retryable: true,
    },
  );
}

/** The same where it must still run. */
export function runningCommand(tool: string, id: string, look: BackgroundLook | undefined): BackgroundStatus {
  const found = commandOf(tool, id, look);
  if (found.isRunning) return found;
  throw new ToolFailure(
    `${tool}: ${id} has ended (${found.ending ?? 'ended'}); start it again with start_command.`,
    {
      code: 'rejected_arguments',
    },
  );
}

/** What a call acts with; a place without background commands is a bug. */
export function background<T>(commands: T | undefined, tool: string): T {
  if (commands === undefined) throw new ToolFailure(`${tool}: background commands are not available here.`);
  return commands;
}

/** One line of facts for the model. */
export function statusWords(status: BackgroundStatus): string {
  const { id, command, isRunning, ms, bytes, sandbox, terminal } = status;
  const state = isRunning ? 'running' : (status.ending ?? 'ended');
  const pty = terminal
    ? `; PTY ${terminal.columns}x${terminal.rows}, keyboard ${terminal.keyboard === 'agent' ? 'yours' : 'taken over by the user'}`
    : '';
  return `${id}: ${state}, ${Math.round(ms / 100) / 10} s, ${bytes} bytes of output, sandbox ${sandbox}${pty}: ${command}`;
}
