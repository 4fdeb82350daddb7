import { join } from 'node:path';
import type { AbsolutePath, SessionId } from '#protocol/ids';
import { openStore, type Store } from '#store/store';
import { memoryHost } from '#test/support/memory-host';
import { tempFolder } from '#test/support/temp-folder';

export const FOLDER = '/work/project' as AbsolutePath;
export const SESSION = 's1' as SessionId;

export function memoryStore(): Store {
  const store = open(':memory:');
  addSession(store, SESSION);
  return store;
}

export function open(path: string): Store {
  const { log, clock } = memoryHost();
  const opened = openStore({ path, log, clock });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

export function addSession(store: Store, id: SessionId, at = 0, folder = FOLDER): void {
  store.sessions.create({ id, folder, title: `title ${id}`, mode: 'workspace-write', modelId: 'demo', at });
}

export function databasePath(): string {
  return join(tempFolder().path, 'storage', 'belay.db');
}
