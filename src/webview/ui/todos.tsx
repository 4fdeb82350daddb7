import type { Todo } from '#protocol/todo';
import { t } from '#webview/text/words';
import { useFold } from './fold';
import { Icon } from './icon';

const ICONS: Readonly<Record<Todo['status'], string>> = {
  completed: 'pass',
  in_progress: 'arrow-circle-right',
  pending: 'circle-large-outline',
};

/** The agent's list: one line with what is done now, and all of it when unfolded. */
export function Todos({ todos, sessionId }: { readonly todos: readonly Todo[]; readonly sessionId: string }) {
  const [open, setOpen] = useFold(`${sessionId}/todos`);
  const done = todos.filter((todo) => todo.status === 'completed').length;
  const current = todos.find((todo) => todo.status === 'in_progress');
  const position = Math.min(todos.length, done + (current ? 1 : 0));
  return (
    <div data-testid="todos">
      <div class="shelf-row">
        <button type="button" class="row" aria-expanded={open} onClick={() => setOpen(!open)}>
          <Icon name="chevron-right" />
          <span class="row-label">
            {open && <span>{t('Todos')} </span>}
            <span class="numbers quiet">{t('{0} of {1}', position, todos.length)}</span>
            {!open && current && <span class="todo-current">{current.activeForm}</span>}
          </span>
        </button>
      </div>
      {open && (
        <ul class="shelf-list" aria-label={t('Todos')}>
          {todos.map((todo, index) => (
            <li key={index} class="todo" data-state={todo.status} title={todo.content}>
              <Icon name={ICONS[todo.status]} />
              {todo.status !== 'pending' && (
                <span class="sr-only">{todo.status === 'completed' ? t('Done:') : t('Now:')}</span>
              )}
              <span class="todo-words">{todo.content}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
