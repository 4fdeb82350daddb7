import { t } from '#base/l10n';
import type { Todo } from '#protocol/todo';
import type { Display } from '#protocol/tool-result';

const MARKS = { pending: '[ ]', in_progress: '[>]', completed: '[x]' } as const;

/** The list as the model reads it. */
export function todoLines(todos: readonly Todo[]): string {
  if (todos.length === 0) return '(the todo list is empty)';
  return todos.map((todo, index) => `${index + 1}. ${MARKS[todo.status]} ${todo.content}`).join('\n');
}

/** The list as a row and its body. */
export function todoDisplay(todos: readonly Todo[]): Display {
  const done = todos.filter((todo) => todo.status === 'completed').length;
  const current = todos.find((todo) => todo.status === 'in_progress');
  const body = todos.map((todo) => `${MARKS[todo.status]} ${todo.content}`).join('\n');
  return { kind: 'text', title: current?.activeForm ?? t('{0} of {1} done', done, todos.length), body };
}
