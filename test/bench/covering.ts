import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { BlobStore } from '#checkpoints/blobs';
import { createCheckpoints } from '#checkpoints/checkpoints';
import { gitReader } from '#commands/git-objects';
import { denyingPrompter, nodeHost, stderrLog } from '#headless/node-host';
import type { AbsolutePath, SessionId, TurnId } from '#protocol/ids';
import { settingsSchema } from '#protocol/settings';
import { openStore } from '#store/store';

/** What stands around the commands of a folder. */
export interface BenchCovering extends AsyncDisposable {
  /** The milliseconds before and after the command, without the command's own. */
  around(command: () => void): Promise<number>;
}

const LIMITS = { ignoredBytes: 64 * 1024, allBytes: 64 * 1024 * 1024 };

/** One turn in a store of its own; every command's coverage must come to something, or it breaks off. */
export function openCovering(at: string): BenchCovering {
  const folder = realpathSync(at) as AbsolutePath;
  const storage = mkdtempSync(path.join(os.tmpdir(), 'belay-bench-storage-'));
  const host = nodeHost({
    settings: settingsSchema.parse({}),
    storage,
    trusted: true,
    prompter: denyingPrompter,
    log: stderrLog(),
  });
  const opened = openStore({ path: path.join(storage, 'belay.db'), log: host.log, clock: host.clock });
  if (!opened.ok) throw new Error(opened.error.message);
  const store = opened.value;
  const { files, documents, clock, random, log, environment } = host;
  const git = gitReader({ program: () => '/usr/bin/git', variables: environment.variables });
  const blobs = new BlobStore(path.join(storage, 'blobs'));
  const checkpoints = createCheckpoints({
    ...{ store, blobs, files, documents, folder, storage, git, clock, random, log },
  });
  const sessionId = 'bench' as SessionId;
  const session = { id: sessionId, folder, title: '', mode: 'allow', modelId: 'demo', at: 0 } as const;
  store.sessions.create(session);
  const start = { turnId: 't' as TurnId, turn: 1, prompt: '', startSequence: 0, messageCount: 0, todos: [] };
  const journal = checkpoints.open({ sessionId, ...start });
  return {
    async around(command) {
      const { signal } = new AbortController();
      const begun = performance.now();
      const cover = await journal.cover({ command: 'bench', signal, limits: LIMITS });
      const before = performance.now() - begun;
      command();
      const ended = performance.now();
      const { changes } = await cover.end([]);
      if (changes.length !== 3) throw new Error(`${changes.length} changes were seen`);
      return before + performance.now() - ended;
    },
    async [Symbol.asyncDispose]() {
      checkpoints.dispose();
      store.close();
      rmSync(storage, { recursive: true, force: true });
    },
  };
}
