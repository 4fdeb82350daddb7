import { join } from 'node:path';
import { BlobStore } from '#checkpoints/blobs';
import { createCheckpoints } from '#checkpoints/checkpoints';
import type { Step, World } from '#checkpoints/world';
import { diskFiles } from '#disk/files';
import type { AbsolutePath, TurnId } from '#protocol/ids';
import { openStore } from '#store/store';
import { ensureSession, handsOf, SESSION } from './hands';

// Runs as a process of its own and kills itself, as hard as the system can, at the given step of the given job.
const [folder = '', storage = '', job = '', step = '', nth = '1'] = process.argv.slice(2);

let seen = 0;
function onStep(reached: Step): void {
  if (reached === step && ++seen === Number(nth)) process.kill(process.pid, 'SIGKILL');
}

const quiet = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const clock = { now: () => 0, monotonic: () => 0 };
const opened = openStore({ path: join(storage, 'belay.db'), log: quiet, clock });
if (!opened.ok) throw new Error(opened.error.message);
const world: World = {
  store: opened.value,
  blobs: new BlobStore(join(storage, 'blobs')),
  files: diskFiles(),
  documents: { dirtyText: () => undefined, dirtyPaths: () => [] },
  folder: folder as AbsolutePath,
  clock,
  random: { id: () => crypto.randomUUID() },
  log: quiet,
  onStep: (reached) => onStep(reached),
};
ensureSession(world, SESSION);
const checkpoints = createCheckpoints(world);

if (job === 'turn') {
  const start = { turnId: 't' as TurnId, turn: 1, prompt: 'p', startSequence: 0, messageCount: 0, todos: [] };
  const journal = checkpoints.open({ sessionId: SESSION, ...start });
  const hands = handsOf(world, journal);
  await hands.edit('a.txt', 'A');
  await hands.rename('b.txt', 'd/b.txt');
  await hands.remove('c.txt');
  await hands.create('e.txt', 'E');
  await journal.seal('sealed');
} else if (job === 'undo') await checkpoints.undo({ sessionId: SESSION, turn: 1, scope: 'all' });
else await checkpoints.redo({ sessionId: SESSION });
opened.value.close();
