import { z } from 'zod';
import type { SessionId } from '#protocol/ids';
import type { Todo } from '#protocol/todo';
import { json } from './columns';
import type { Database } from './database';

const todosRow = z.object({ todos: json<readonly Todo[]>() });

/** The todo list of each session, kept whole. */
export class TodosTable {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list(sessionId: SessionId): readonly Todo[] {
    return (
      this.#database.row(todosRow, 'SELECT todos FROM session_todos WHERE session_id = ?', sessionId)
        ?.todos ?? []
    );
  }

  write(sessionId: SessionId, todos: readonly Todo[]): void {
    const sql =
      'INSERT INTO session_todos (session_id, todos) VALUES (?, ?) ON CONFLICT (session_id) DO UPDATE SET todos = excluded.todos';
    this.#database.run(sql, sessionId, JSON.stringify(todos));
  }
}
