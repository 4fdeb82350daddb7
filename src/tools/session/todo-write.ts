import { z } from 'zod';
import { t } from '#base/l10n';
import { todoSchema } from '#protocol/todo';
import { rejected } from '#tools/refusal';
import type { ToolDefinition } from '#tools/tool';
import { todoDisplay, todoLines } from './todo-lines';

const NAME = 'todo_write';

const inputSchema = z.strictObject({
  todos: z.array(todoSchema.strict()).max(100).describe('The whole list; it replaces the one before'),
});
type Input = z.infer<typeof inputSchema>;

/** Replaces the session's list of things to do. */
export const todoWrite: ToolDefinition<Input> = {
  name: NAME,
  description:
    'Keeps your list of steps for work of three steps or more; the user watches it. Mark each step as you begin and finish it; at most one is in_progress.',
  // It changes nothing but the agent's own notes, so it stays available in read-only mode.
  risk: 'read',
  capabilities: ['session.write'],
  concurrencySafe: false,
  inputSchema,
  origin: { kind: 'built-in' },
  validate: async ({ todos }) => {
    const running = todos.filter((todo) => todo.status === 'in_progress').length;
    return running > 1
      ? rejected(NAME, `${running} todos are in_progress; at most one may be`).message
      : undefined;
  },
  touches: async () => [],
  summarize: ({ todos }) => t('Write {0} to-dos', todos.length),
  async execute({ todos }, context) {
    await context.todos.write(todos);
    return { version: 1, status: 'success', content: todoLines(todos), display: todoDisplay(todos) };
  },
};
