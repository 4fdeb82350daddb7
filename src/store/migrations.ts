import { z } from 'zod';
import { ACCEPTANCES } from '#store/schema/acceptances';
import { BACKGROUND_COMMANDS } from '#store/schema/background-commands';
import { BASE } from '#store/schema/base';
import { COMMAND_OPERATIONS } from '#store/schema/command-operations';
import { FOLDER_BITS } from '#store/schema/folder-bits';
import { FORKS } from '#store/schema/forks';
import { HISTORY } from '#store/schema/history';
import { LEASES } from '#store/schema/leases';
import { REVIEW } from '#store/schema/review';
import { TOOL_ACTIVATIONS } from '#store/schema/tool-activations';
import type { Database } from './database';

/** The schema, step by step. A step is never changed once released: the next one corrects it. */
export const MIGRATIONS: readonly string[] = [
  BASE,
  ACCEPTANCES,
  HISTORY,
  COMMAND_OPERATIONS,
  FORKS,
  BACKGROUND_COMMANDS,
  LEASES,
  REVIEW,
  TOOL_ACTIVATIONS,
  FOLDER_BITS,
];

/** The database was made by a version of Belay that knows more than this one. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema';
}

const versionRow = z.object({ user_version: z.number() });

/** Brings the schema to the newest step. Several windows may start at once: one migrates, the others wait and see it. */
export function migrate(database: Database, steps: readonly string[] = MIGRATIONS): void {
  const version = () => database.row(versionRow, 'PRAGMA user_version')?.user_version ?? 0;
  const found = version();
  if (found > steps.length)
    throw new NewerSchema(`the database has schema ${found}, this version knows up to ${steps.length}`);
  if (found === steps.length) return;
  database.transaction(() => {
    for (const step of steps.slice(version())) database.execute(step);
    database.execute(`PRAGMA user_version = ${steps.length}`);
  });
}
