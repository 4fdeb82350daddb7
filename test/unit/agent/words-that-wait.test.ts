import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Model, ModelEvent, ModelRequest } from '#models/model';
import type { SessionId } from '#protocol/ids';
import { openStore, type Store } from '#store/store';
import { type CoreLab, coreLab } from '#test/support/core-lab';
import { memoryHost } from '#test/support/memory-host';

const workspace = { 'a.txt': 'one\n' };

/** A model that reads once; on its second request something happens before the event loop can turn. */
function reader(then: (request: ModelRequest) => Promise<void> | void): Model {
  let requests = 0;
  return {
    id: 'own/reader',
    name: 'Reader',
    providerName: 'Own',
    contextWindow: 100_000,
    async *stream(request): AsyncIterable<ModelEvent> {
      requests++;
      if (requests === 1) {
        yield { kind: 'call', providerId: 'r1', name: 'read_file', rawInput: '{"path":"a.txt"}' };
        yield { kind: 'finish', reason: 'tool-calls', usage: {} };
        return;
      }
      await then(request);
      yield { kind: 'text', delta: 'done' };
      yield { kind: 'text-end', text: 'done' };
      yield { kind: 'finish', reason: 'stop', usage: {} };
    },
  };
}

/** The same database as another window has it. */
function storeOf(lab: CoreLab): Store {
  const host = memoryHost();
  const path = join(lab.storage.path, 'belay.db');
  const made = openStore({ path, log: host.log, clock: host.clock });
  if (!made.ok) throw new Error(made.error.message);
  return made.value;
}

/** What is in the store: an assistant message by its calls, a result by its call; no call with two results. */
function kept(store: Store, id: SessionId): readonly string[] {
  return store.messages.list(id).map((message) => {
    if (message.kind === 'assistant') return `reply ${message.parts.map(({ kind }) => kind).join()}`;
    return message.kind === 'result' ? `result ${message.result.status}` : message.kind;
  });
}

test('a window that closes while the next request travels leaves the reads behind that led to it', async () => {
  const lab = await coreLab({ workspace });
  let closed: Promise<void> | undefined;
  lab.models.set(
    'own/reader',
    reader((request) => {
      closed = lab.app.close();
      request.signal.throwIfAborted();
    }),
  );
  lab.session.setModel('own/reader');
  const status = await lab.session.send('read it');
  await closed;
  const store = storeOf(lab);
  const words = kept(store, lab.session.id);
  store.close();
  expect([status, words]).toEqual(['interrupted', ['user', 'reply call', 'result success']]);
});

test('a turn begins behind what waited for a store that had failed', async () => {
  const lab = await coreLab({ workspace });
  let other: ReturnType<typeof full> | undefined;
  lab.models.set(
    'own/reader',
    reader(() => {
      other ??= full(lab);
    }),
  );
  lab.session.setModel('own/reader');
  const status = await lab.session.send('read it');
  other?.close();
  await lab.session.send('again');
  const store = storeOf(lab);
  const began = lab.session
    .events()
    .flatMap(({ type, sequence }) => (type === 'turn.started' ? [sequence] : []));
  const starts = store.checkpoints.list(lab.session.id).map(({ startSequence }) => startSequence + 1);
  const words = kept(store, lab.session.id);
  store.close();
  expect([status, starts, words]).toEqual([
    'failed',
    began,
    ['user', 'reply call', 'result success', 'user', 'reply text'],
  ]);
});

/** Events can't be recorded until it is closed. */
function full(lab: CoreLab): { close(): void } {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const other = new DatabaseSync(join(lab.storage.path, 'belay.db'));
  other.exec("CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'full'); END");
  return {
    close() {
      other.exec('DROP TRIGGER full');
      other.close();
    },
  };
}
