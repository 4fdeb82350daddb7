import { z } from 'zod';
import { t } from '#base/l10n';
import type { ToolDefinition } from '#tools/tool';
import { todoDisplay, todoLines } from './todo-lines';

const inputSchema = z.strictObject({});

/** Shows the session's list of things to do. */
export const todoList: ToolDefinition<z.infer<typeof inputSchema>> = {
  name: 'todo_list',
  description: 'Shows the list kept by todo_write.',
  risk: 'read',
  capabilities: ['session.read'],
  concurrencySafe: true,
  inputSchema,
  origin: { kind: 'built-in' },
  touches: async () => [],
  summarize: () => t('List the to-dos'),
  async execute(_input, context) {
    const todos = context.todos.list();
    return { version: 1, status: 'success', content: todoLines(todos), display: todoDisplay(todos) };
  },
};
