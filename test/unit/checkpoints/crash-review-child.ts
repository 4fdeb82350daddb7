import { createCheckpoints } from '#checkpoints/checkpoints';
import type { Step } from '#checkpoints/world';
import { childWorld, TURN } from './child-world';
import { handsOf, SESSION } from './hands';

// Runs as a process of its own and kills itself, as hard as the system can, at the given step of the given job.
const [folder = '', storage = '', job = '', step = '', nth = '1'] = process.argv.slice(2);

let seen = 0;
function onStep(reached: Step): void {
  if (reached === step && ++seen === Number(nth)) process.kill(process.pid, 'SIGKILL');
}

const { world, close } = childWorld({ folder, storage }, onStep);
const checkpoints = createCheckpoints(world);
const REVIEW = { sessionId: SESSION, since: 0 };

if (job === 'turn') {
  const journal = checkpoints.open(TURN);
  const hands = handsOf(world, journal);
  await hands.edit('skip.txt', 'S\n');
  await hands.edit('over.txt', 'O\n');
  await hands.edit('merge.txt', 'ONE\n2\n3\n4\nFIVE\n');
  await hands.create('new.txt', 'N\n');
  await journal.seal('sealed');
} else if (job === 'choices') {
  const choices = { 'skip.txt': 'skip', 'over.txt': 'overwrite', 'merge.txt': 'merge' } as const;
  await checkpoints.undo({ sessionId: SESSION, turn: 1, scope: 'files', choices });
} else if (job === 'hunk') await checkpoints.undoHunk(REVIEW, { path: 'merge.txt', line: 1, side: 'now' });
else if (job === 'keep-and-undo') {
  await checkpoints.keepHunk(REVIEW, { path: 'merge.txt', line: 1, side: 'now' });
  await checkpoints.undo({
    sessionId: SESSION,
    turn: 1,
    scope: 'files',
    reviewedSince: 0,
    onConflict: 'skip',
  });
} else await checkpoints.redo({ sessionId: SESSION });
close();
