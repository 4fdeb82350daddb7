import { expect, test } from 'vitest';
import { toolBench } from '#test/support/tool-context';
import { todoList } from '#tools/session/todo-list';
import { todoWrite } from '#tools/session/todo-write';

const todo = (content: string, status: string) => ({ content, activeForm: `${content}ing`, status });

test('keeps the whole list and lists it', async () => {
  const bench = toolBench();
  const todos = [todo('Read', 'completed'), todo('Test', 'in_progress'), todo('Write', 'pending')];
  const expected = '1. [x] Read\n2. [>] Test\n3. [ ] Write';
  expect((await bench.call(todoWrite, { todos })).content).toBe(expected);
  expect(await bench.call(todoList, {})).toMatchObject({ content: expected, display: { title: 'Testing' } });
  await bench.call(todoWrite, { todos: [] });
  expect((await bench.call(todoList, {})).content).toBe('(the todo list is empty)');
});

test('at most one is in progress', async () => {
  const bench = toolBench();
  const result = await bench.call(todoWrite, { todos: [todo('A', 'in_progress'), todo('B', 'in_progress')] });
  expect(result).toMatchObject({
    code: 'rejected_arguments',
    content: 'todo_write: 2 todos are in_progress; at most one may be',
  });
  expect(bench.context.todos.list()).toEqual([]);
});
