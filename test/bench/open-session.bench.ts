import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LiveTranscript } from '#agent/live-transcript';
import type { AbsolutePath, SessionId, TurnId } from '#protocol/ids';
import { openStore, type Store } from '#store/store';
import { alternate, type Measurement, milliseconds } from '#test/bench/benchmark';
import { callId, ended, requested, said, started } from '#test/unit/protocol/session-log';

const SESSION = 'long' as SessionId;
const TURNS = 1250;
/** The events that the first page reads, at most. */
const PAGE = 800;

/** A session of 10,000 messages from its row to its first page, as JSON for the panel, against a bare read of the same events. */
export async function measure(): Promise<readonly Measurement[]> {
  const work = mkdtempSync(path.join(os.tmpdir(), 'belay-open-'));
  try {
    const file = path.join(work, 'belay.db');
    const store = open(file);
    fill(store, path.dirname(file) as AbsolutePath);
    const bare = new DatabaseSync(file);
    const rows = bare.prepare(
      'SELECT body FROM events WHERE session_id = ? AND sequence > (SELECT MAX(sequence) FROM events WHERE session_id = ?) - ?',
    );
    const samples = await alternate(
      { n: 31, warmUp: 5 },
      () => milliseconds(() => JSON.stringify(new LiveTranscript(store, SESSION).get())),
      () =>
        milliseconds(() => rows.all(SESSION, SESSION, PAGE).map((row) => JSON.parse(String(row['body'])))),
    );
    bare.close();
    store.close();
    const name = 'open a session of 10,000 messages to its first page';
    return [{ name, unit: 'ms', ...samples, target: { of: 'belay', atMost: 150 } }];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Turns of a prompt, a step with two calls and their results, and three more steps with one: eight messages and more. */
function fill(store: Store, folder: AbsolutePath): void {
  store.sessions.create({ id: SESSION, folder, title: 'long', mode: 'prompt', modelId: '', at: 0 });
  store.transaction(() => {
    for (let turn = 1; turn <= TURNS; turn += 1) {
      store.events.append(SESSION, started(turn, `prompt ${turn}: do the next thing on the list`), turn);
      for (let step = 1; step <= 4; step += 1) fillStep(store, turn, step);
      store.events.append(SESSION, ended(turn), turn);
    }
  });
}

function fillStep(store: Store, turn: number, step: number): void {
  const id = `c${turn}-${step}`;
  const own = { turnId: `t${turn}` as TurnId, callId: callId(id), name: 'read_file' } as const;
  store.events.append(
    SESSION,
    said(turn, `r${id}`, 'What the model says in a step, a sentence or two. '.repeat(4)),
    turn,
  );
  store.events.append(SESSION, requested(turn, id, 'read_file'), turn);
  store.events.append(
    SESSION,
    {
      ...own,
      ...{ type: 'tool.completed', status: 'success', contentBytes: 900, contentSha256: 'x', ms: 3 },
      trace: ['parse', 'schema', 'permission'].map((stage) => ({
        stage,
        verdict: 'pass',
        why: 'rule',
        ms: 0,
      })),
      display: { kind: 'text', title: 'src/app.ts', body: 'a line of the file\n'.repeat(30) },
    },
    turn,
  );
}

function open(file: string): Store {
  const quiet = () => undefined;
  const opened = openStore({
    path: file,
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}
