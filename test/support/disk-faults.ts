import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// Imported first by a process of its own: what is loaded after it calls these functions instead of Node's.

/** Calls that change the disk, or wait for it; those that end in a callback among them. */
const CHANGING = [
  ...['openSync', 'writeSync', 'ftruncateSync', 'fchmodSync', 'fchownSync', 'chmodSync', 'closeSync'],
  ...['renameSync', 'linkSync', 'unlinkSync', 'mkdirSync', 'rmdirSync', 'rmSync', 'fdatasync', 'fsync'],
  'symlinkSync',
] as const;
/** Calls that only look; a disk that dies fails them as well. */
const LOOKING = ['lstatSync', 'fstatSync', 'statSync', 'readSync'] as const;

type Call = (...args: readonly unknown[]) => unknown;

/** Called before each of these calls with its name; what it returns is thrown instead, or handed to the callback. */
export type BeforeCall = (name: string, changes: boolean) => Error | undefined;

let before: BeforeCall | undefined;

/** From now on; undefined lets everything pass again. */
export function beforeDiskCalls(handler: BeforeCall | undefined): void {
  before = handler;
}

/** An error as Node throws it. */
export function systemError(code: string, call: string): Error {
  return Object.assign(new Error(`${code}: injected, ${call}`), { code, syscall: call });
}

function wrap(name: string, changes: boolean): void {
  const functions = fs as unknown as Record<string, Call>;
  const original = functions[name] as Call;
  const wrapped: Call = (...args) => {
    const fault = before?.(name, changes && !onlyLooks(name, args));
    if (fault === undefined) return original.apply(fs, [...args]);
    // A descriptor whose close fails is closed all the same.
    if (name === 'closeSync') original.apply(fs, [...args]);
    const callback = args.at(-1);
    if (name.endsWith('Sync') || typeof callback !== 'function') throw fault;
    setImmediate(callback as (error: Error) => void, fault);
    return undefined;
  };
  functions[name] = Object.assign(wrapped, original);
}

function onlyLooks(name: string, [, flags]: readonly unknown[]): boolean {
  if (name !== 'openSync') return false;
  return flags === undefined || flags === 'r' || (typeof flags === 'number' && (flags & 3) === 0);
}

for (const name of CHANGING) wrap(name, true);
for (const name of LOOKING) wrap(name, false);
syncBuiltinESMExports();
