import { closeSync, openSync, statSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { z } from 'zod';
import { syncData } from '#disk/durable';
import { codeOf } from '#disk/stat';

/** Milliseconds that a statement waits for another window's transaction. */
const BUSY_TIMEOUT = 5000;

/** SQLite's own result codes: the file is damaged, or never was a database. */
const CORRUPT = 11;
const NOT_A_DATABASE = 26;
const BUSY = 5;

/** `node:sqlite` came with Node 22.5; older hosts have everything but this. */
export class NoSqlite extends Error {
  override readonly name = 'NoSqlite';
}

/** Another program deleted or replaced the file: what is written goes nowhere that a later window could read. */
export class DatabaseGone extends Error {
  override readonly name = 'DatabaseGone';

  constructor() {
    super('the file of Belay’s database was deleted or replaced while it was in use');
  }
}

/**
 * One connection to one SQLite file in WAL mode. Synchronous: transactions are short and never hold an await.
 * This is the only place that knows the driver.
 */
export class Database {
  readonly #path: string;
  readonly #file: string | undefined;
  readonly #connection: DatabaseSync;
  readonly #onDamage: () => void;
  readonly #statements = new Map<string, StatementSync>();
  #depth = 0;

  /**
   * Throws what SQLite throws, or `NoSqlite`. `:memory:` gives a database that ends with the connection. `onDamage` hears of a
   * statement that met a damaged page; it throws all the same.
   */
  constructor(path: string, onDamage: () => void = () => undefined) {
    // Not an import: a host without it must still be able to load this file and say so.
    const sqlite = process.getBuiltinModule?.('node:sqlite');
    if (!sqlite) throw new NoSqlite('this editor runs on a Node.js without node:sqlite');
    this.#path = path;
    this.#onDamage = onDamage;
    this.#connection = new sqlite.DatabaseSync(path);
    try {
      this.#connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
      this.#switchToWal();
      this.#connection.exec(
        'PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 1000',
      );
      this.#file = identityOf(path);
    } catch (error) {
      this.#connection.close();
      throw error;
    }
  }

  /** Runs a statement that gives no rows. */
  run(
    sql: string,
    ...values: readonly SQLInputValue[]
  ): { readonly changes: number; readonly lastId: number } {
    const { changes, lastInsertRowid } = this.#noticing(() => this.#statement(sql).run(...values));
    return { changes: Number(changes), lastId: Number(lastInsertRowid) };
  }

  /** All rows of a query, each parsed. */
  rows<T>(schema: z.ZodType<T>, sql: string, ...values: readonly SQLInputValue[]): T[] {
    return this.#noticing(() => this.#statement(sql).all(...values)).map((row) => schema.parse(row));
  }

  /** The first row of a query, parsed. Never for a statement that changes something: see `returned`. */
  row<T>(schema: z.ZodType<T>, sql: string, ...values: readonly SQLInputValue[]): T | undefined {
    const row = this.#noticing(() => this.#statement(sql).get(...values));
    return row === undefined ? undefined : schema.parse(row);
  }

  /**
   * The row that a change gives back by RETURNING. It is run to its end: taking the first row alone would leave a commit that
   * fails, on a full disk, to a reset whose error nobody hears of.
   */
  returned<T>(schema: z.ZodType<T>, sql: string, ...values: readonly SQLInputValue[]): T | undefined {
    return this.rows(schema, sql, ...values)[0];
  }

  /** Runs several statements that take no values: migrations and pragmas. */
  execute(sql: string): void {
    this.#connection.exec(sql);
  }

  /** All or nothing; inside another transaction it is a part of that one. Survives a kill, maybe not a power cut. */
  transaction<T>(work: () => T): T {
    if (this.#depth > 0) return this.#inside(work);
    this.#statement('BEGIN IMMEDIATE').run();
    try {
      const value = this.#inside(work);
      this.#statement('COMMIT').run();
      return value;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  /**
   * Waits until what is committed would survive a power cut, and blocks nobody: for what must be known before a file changes. A
   * kill it survives from the commit on. Committed transactions are in the log or, from there, durably in the database: with the
   * log on the disk, all of them are. SQLite locks other files than the log, so that closing it here lets no lock go.
   * Throws `DatabaseGone` where nothing would survive.
   */
  async synced(): Promise<void> {
    if (this.#depth > 0) throw new Error('inside a transaction nothing is committed yet');
    this.demandFile();
    const log = openLog(this.#path);
    if (log === undefined) {
      if (this.#file !== undefined && this.#keepsLog()) throw new DatabaseGone();
      return;
    }
    try {
      await syncData(log);
    } finally {
      closeSync(log);
    }
  }

  /** Throws `DatabaseGone` when the file is no longer the one that was opened: SQLite goes on in the old one and doesn't mind. */
  demandFile(): void {
    if (this.#file !== undefined && identityOf(this.#path) !== this.#file) throw new DatabaseGone();
  }

  close(): void {
    this.#statements.clear();
    if (this.#connection.isOpen) this.#connection.close();
  }

  #noticing<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (isCorrupt(error)) this.#onDamage();
      throw error;
    }
  }

  #inside<T>(work: () => T): T {
    this.#depth++;
    try {
      return work();
    } finally {
      this.#depth--;
    }
  }

  #rollBack(): void {
    try {
      this.#connection.exec('ROLLBACK');
    } catch {
      // A full disk or a lost file rolls back by itself; the first error is the one that counts.
    }
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #keepsLog(): boolean {
    return this.row(z.object({ journal_mode: z.string() }), 'PRAGMA journal_mode')?.journal_mode === 'wal';
  }

  /** The very first switch needs the file alone, and SQLite doesn't wait for that by itself. */
  #switchToWal(): void {
    for (let waited = 0; ; waited += 20) {
      try {
        this.#connection.exec('PRAGMA journal_mode = WAL');
        return;
      } catch (error) {
        if (resultCode(error) !== BUSY || waited >= BUSY_TIMEOUT) throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      }
    }
  }
}

/** Which file lies there; undefined in memory and where none does. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

/** Undefined in memory, and on a disk that can't share memory for a log: there is none then, and a commit waits by itself. */
function openLog(path: string): number | undefined {
  try {
    return openSync(`${path}-wal`, 'r+');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The file is damaged or isn't a database: nothing can be read from it by us. */
export function isCorrupt(error: unknown): boolean {
  const code = resultCode(error);
  return code === CORRUPT || code === NOT_A_DATABASE;
}

function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined;
  return error.errcode & 0xff;
}
