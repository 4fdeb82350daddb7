// First: what is loaded after it calls the disk through it.
import './disk-faults';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { beforeDiskCalls } from './disk-faults';

// Imported first by a process of its own, which dies at one of its points: right before something that changes the disk or the
// database.

/** A kill before it leaves what a kill after it leaves: a descriptor ends with its process. */
const WITHOUT_EFFECT = new Set(['closeSync']);
/** What these wait for outlasts a kill all the same, so nobody waits here. */
const WAITING = ['fsync', 'fdatasync'] as const;
const OF_PROMISES = ['rename', 'unlink', 'mkdir', 'rmdir', 'rm', 'writeFile', 'link', 'symlink'] as const;
const CHANGES = /^\s*(INSERT|UPDATE|DELETE|BEGIN|COMMIT|REPLACE)\b\s*(?:OR \w+ )?(?:INTO |FROM )?(\w*)/i;

let isFatal: (() => boolean) | undefined;
const passed: string[] = [];

/** From now on points are counted, and the process kills itself, as hard as the system can, at the nth; 0 lets it live. */
export function dieAtPoint(nth: number): void {
  passed.length = 0;
  isFatal = () => passed.length === nth;
}

/** The same at the point behind the first of that name. What waits side by side has no fixed place, so the name alone finds it. */
export function dieBehind(name: string): void {
  passed.length = 0;
  isFatal = () => passed.slice(0, -1).includes(name);
}

/** The points since then, in order. */
export function pointsPassed(): readonly string[] {
  isFatal = undefined;
  return passed;
}

function point(name: string): void {
  if (!isFatal) return;
  passed.push(name);
  if (isFatal()) process.kill(process.pid, 'SIGKILL');
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

function before(
  owner: object,
  name: string,
  nameOf: (self: unknown, args: readonly unknown[]) => string | undefined,
) {
  const methods = owner as Record<string, Method>;
  const original = methods[name] as Method | undefined;
  if (!original) throw new Error(`there is no ${name} to wrap`);
  methods[name] = function (this: unknown, ...args) {
    const named = nameOf(this, args);
    if (named !== undefined) point(named);
    return original.apply(this, args);
  };
}

function statement(sql: unknown): string | undefined {
  const [, verb, table] = CHANGES.exec(String(sql)) ?? [];
  return verb && `${verb.toUpperCase()} ${table}`.trim();
}

for (const name of WAITING)
  (fs as unknown as Record<string, unknown>)[name] = (_descriptor: number, done: () => void) =>
    setImmediate(done);
beforeDiskCalls((name, changes) => {
  if (changes && !WITHOUT_EFFECT.has(name)) point(name);
  return undefined;
});
for (const name of OF_PROMISES) before(fs.promises, name, () => name);
syncBuiltinESMExports();

const { DatabaseSync, StatementSync } = process.getBuiltinModule('node:sqlite');
before(DatabaseSync.prototype, 'exec', (_self, [sql]) => statement(sql));
for (const name of ['run', 'get', 'all'])
  before(StatementSync.prototype, name, (self) =>
    statement((self as { readonly sourceSQL: string }).sourceSQL),
  );
