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

if (job === 'turn') {
  const journal = checkpoints.open(TURN);
  const hands = handsOf(world, journal);
  await hands.edit('a.txt', 'A');
  await hands.rename('b.txt', 'd/b.txt');
  await hands.remove('c.txt');
  await hands.create('e.txt', 'E');
  await journal.seal('sealed');
} else if (job === 'undo') await checkpoints.undo({ sessionId: SESSION, turn: 1, scope: 'all' });
else await checkpoints.redo({ sessionId: SESSION });
close();
