import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { t } from '#base/l10n';
import { fail, messageOf, ok, type Result } from '#base/result';
import type { Clock, Log } from '#host';
import { AcceptancesTable } from './acceptances';
import { ApprovalsTable } from './approvals';
import { ArtifactsTable } from './artifacts';
import { BackgroundCommandsTable } from './background-commands';
import { CheckpointsTable } from './checkpoints';
import { CommandChangesTable } from './command-changes';
import { CommandRunsTable } from './command-runs';
import { Database, isCorrupt, NoSqlite } from './database';
import { EventsTable } from './events';
import { FileOperationsTable } from './file-operations';
import { FoldersTable } from './folders';
import { ForksTable } from './forks';
import { HistoryIndex } from './history-index';
import { OutlineTable } from './history-outline';
import { HousekeepingTable } from './housekeeping';
import { KeptContentsTable } from './kept-contents';
import { LeasesTable } from './leases';
import { MessagesTable } from './messages';
import { migrate, NewerSchema } from './migrations';
import { PruningTable } from './pruning';
import { ReadsTable } from './reads';
import { ReferencesTable } from './references';
import { RestoresTable } from './restores';
import { ReviewMarksTable } from './review-marks';
import { SessionsTable } from './sessions';
import { TodosTable } from './todos';
import { ToolActivationsTable } from './tool-activations';
import { UsageTable } from './usage';

/** Everything that outlives a window, one small table each. Synchronous; throws when the disk doesn't take it. */
export interface Store {
  readonly sessions: SessionsTable;
  readonly leases: LeasesTable;
  readonly messages: MessagesTable;
  readonly events: EventsTable;
  /** What of each session its pages need. */
  readonly outline: OutlineTable;
  /** The words that were said. */
  readonly history: HistoryIndex;
  readonly todos: TodosTable;
  readonly toolActivations: ToolActivationsTable;
  readonly approvals: ApprovalsTable;
  readonly acceptances: AcceptancesTable;
  readonly artifacts: ArtifactsTable;
  readonly reads: ReadsTable;
  readonly backgroundCommands: BackgroundCommandsTable;
  readonly checkpoints: CheckpointsTable;
  readonly folders: FoldersTable;
  readonly operations: FileOperationsTable;
  readonly commandChanges: CommandChangesTable;
  readonly commandRuns: CommandRunsTable;
  readonly keptContents: KeptContentsTable;
  readonly restores: RestoresTable;
  readonly forks: ForksTable;
  readonly reviewMarks: ReviewMarksTable;
  readonly references: ReferencesTable;
  readonly pruning: PruningTable;
  readonly housekeeping: HousekeepingTable;
  readonly usage: UsageTable;
  /** Where a damaged database was moved to when this one was opened instead; tell the person. */
  readonly setAside: string | undefined;
  /** All or nothing; nests. */
  transaction<T>(work: () => T): T;
  /** Waits until what is committed would survive a power cut. Not inside a transaction. Throws `DatabaseGone`. */
  synced(): Promise<void>;
  /** Throws `DatabaseGone` when somebody deleted or replaced the file. */
  demandFile(): void;
  close(): void;
}

/** Why there is no store, in words for people that end in what to do. */
export interface StoreProblem {
  readonly message: string;
}

export interface StoreOptions {
  /** The database file; `:memory:` for one that is gone when it is closed. */
  readonly path: string;
  readonly log: Log;
  readonly clock: Clock;
}

/** Damage is looked for at every start only in databases up to this size (about 5 ms each 10 MB). */
const CHECKED_SIZE = 32 * 1024 * 1024;

/** Opens the database, making or migrating it. A damaged one is set aside, never deleted, and a new one begun. */
export function openStore(options: StoreOptions): Result<Store, StoreProblem> {
  try {
    if (options.path !== ':memory:') mkdirSync(dirname(options.path), { recursive: true, mode: 0o700 });
    return ok(storeOf(openDatabase(options), undefined));
  } catch (error) {
    if (!isCorrupt(error)) return fail({ message: wordsFor(error, options.path) });
    return openAnew(options, error);
  }
}

function openAnew(options: StoreOptions, cause: unknown): Result<Store, StoreProblem> {
  const { path, log, clock } = options;
  const aside = `${path}.corrupt-${new Date(clock.now()).toISOString().replaceAll(':', '-')}`;
  try {
    for (const suffix of ['', '-wal', '-shm']) {
      if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
    }
    rmSync(doubtOf(path), { force: true });
    log.error(`store: ${path} is damaged (${messageOf(cause)}); set aside as ${aside}`);
    return ok(storeOf(openDatabase(options), aside));
  } catch (error) {
    return fail({ message: wordsFor(error, path) });
  }
}

const checkRow = z.object({ quick_check: z.string() });

function openDatabase(options: StoreOptions): Database {
  const { path } = options;
  const isDoubted = existsSync(doubtOf(path));
  const isChecked = isDoubted || (existsSync(path) && statSync(path).size <= CHECKED_SIZE);
  const database = new Database(path, () => doubt(options));
  try {
    if (isChecked) {
      const found = database.row(checkRow, 'PRAGMA quick_check(1)')?.quick_check;
      if (found !== 'ok') throw Object.assign(new Error(found ?? 'no answer'), { errcode: 11 });
      if (isDoubted) rmSync(doubtOf(path), { force: true });
    }
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A file that says: a statement met damage, so the next start looks at all of it. */
function doubtOf(path: string): string {
  return `${path}.doubted`;
}

function doubt({ path, log }: StoreOptions): void {
  if (path === ':memory:' || existsSync(doubtOf(path))) return;
  try {
    writeFileSync(doubtOf(path), '', { mode: 0o600 });
    log.error(`store: ${path} is damaged; the next start sets it aside`);
  } catch (error) {
    log.error(`store: ${path} is damaged, and that can’t be noted: ${messageOf(error)}`);
  }
}

function storeOf(database: Database, setAside: string | undefined): Store {
  const messages = new MessagesTable(database);
  const history = new HistoryIndex(database);
  const events = new EventsTable(database, messages, history);
  return {
    sessions: new SessionsTable(database),
    leases: new LeasesTable(database),
    messages,
    events,
    outline: new OutlineTable(database),
    history,
    todos: new TodosTable(database),
    toolActivations: new ToolActivationsTable(database),
    approvals: new ApprovalsTable(database),
    acceptances: new AcceptancesTable(database),
    artifacts: new ArtifactsTable(database),
    reads: new ReadsTable(database),
    backgroundCommands: new BackgroundCommandsTable(database),
    checkpoints: new CheckpointsTable(database),
    folders: new FoldersTable(database),
    operations: new FileOperationsTable(database),
    commandChanges: new CommandChangesTable(database),
    commandRuns: new CommandRunsTable(database),
    keptContents: new KeptContentsTable(database),
    restores: new RestoresTable(database),
    forks: new ForksTable(database),
    reviewMarks: new ReviewMarksTable(database),
    references: new ReferencesTable(database),
    pruning: new PruningTable(database, events),
    housekeeping: new HousekeepingTable(database),
    usage: new UsageTable(database),
    setAside,
    transaction: (work) => database.transaction(work),
    synced: () => database.synced(),
    demandFile: () => database.demandFile(),
    close: () => database.close(),
  };
}

function wordsFor(error: unknown, path: string): string {
  if (error instanceof NoSqlite)
    return t(
      'This editor is too old to keep sessions: Belay needs a host with Node.js 22.13 or newer. Update the editor.',
    );
  if (error instanceof NewerSchema)
    return t(
      'The sessions in {0} were written by a newer Belay. Update Belay, or move that file away.',
      path,
    );
  return t(
    'The sessions in {0} can’t be opened: {1}. Nothing was changed; check the file’s permissions and the free disk space.',
    path,
    messageOf(error),
  );
}
