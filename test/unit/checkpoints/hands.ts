import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '#base/hash';
import type { SeenChanges } from '#checkpoints/covering/cover';
import type { KeepLimits } from '#checkpoints/covering/sources';
import type { Journal } from '#checkpoints/journal';
import type { World } from '#checkpoints/world';
import type { CommandChange } from '#protocol/checkpoint';
import type { AbsolutePath, SessionId, Sha256 } from '#protocol/ids';

export const SESSION = 'session-1' as SessionId;

/** What a turn can do. Each throws when the change is refused. */
export interface Hands {
  readonly journal: Journal;
  create(path: string, text: string | Uint8Array, mode?: number): Promise<void>;
  edit(path: string, text: string | Uint8Array): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Lets `work` run as a command does. */
  run(command: string, work: () => unknown, more?: RunOptions): Promise<SeenChanges>;
  command(command: string, changes: Record<string, CommandChange['operation']>): Promise<void>;
}

export interface RunOptions {
  readonly beside?: readonly string[];
  readonly limits?: Partial<KeepLimits>;
}

/** Much more than any test needs. */
const LIMITS: KeepLimits = { ignoredBytes: 64 * 1024, allBytes: 64 * 1024 * 1024 };

export function ensureSession({ store, folder }: World, id: SessionId): void {
  if (store.sessions.get(id)) return;
  store.sessions.create({
    id,
    folder,
    title: `title of ${id}`,
    mode: 'workspace-write',
    modelId: 'demo',
    at: 0,
  });
}

export function handsOf({ folder }: Pick<World, 'folder'>, journal: Journal): Hands {
  const at = (path: string) => join(folder, path) as AbsolutePath;
  const hashOf = (path: string) => sha256(readFileSync(at(path))) as Sha256;
  const write = async (landing: Parameters<Journal['write']>[0]) => {
    const landed = await journal.write(landing);
    if (!landed.ok) throw new Error(`${landed.error.kind}: ${landed.error.message}`);
  };
  return {
    journal,
    create: (path, text, mode) =>
      write({ kind: 'create', path: at(path), bytes: bytesOf(text), ...(mode ? { mode } : {}) }),
    edit: (path, text) =>
      write({ kind: 'replace', path: at(path), bytes: bytesOf(text), expected: hashOf(path) }),
    rename: (from, to) => write({ kind: 'rename', path: at(from), to: at(to), expected: hashOf(from) }),
    remove: (path) => write({ kind: 'delete', path: at(path), expected: hashOf(path) }),
    run: async (command, work, { beside = [], limits = {} } = {}) => {
      const { signal } = new AbortController();
      const cover = await journal.cover({ command, signal, limits: { ...LIMITS, ...limits } });
      await work();
      return cover.end(beside);
    },
    command: (command, changes) =>
      journal.noteCommandChanges(
        Object.entries(changes).map(([path, operation]) => ({ path, operation, command })),
      ),
  };
}

export function bytesOf(text: string | Uint8Array): Uint8Array {
  return typeof text === 'string' ? new TextEncoder().encode(text) : text;
}
