import { hostname } from 'node:os';
import { prune } from '#checkpoints/prune';
import { childWorld } from './child-world';
import { DAY, DEFAULTS, pruneWorld } from './prune-lab';

// Runs as a process of its own, prunes, and kills itself, as hard as the system can, at the given step. Says what it came to.
const [folder = '', storage = '', step = '', nth = '1'] = process.argv.slice(2);

let seen = 0;
const { world, close } = childWorld({ folder, storage });
const report = await prune(
  {
    ...pruneWorld(world, storage, (reached) => {
      if (reached === step && ++seen === Number(nth)) process.kill(process.pid, 'SIGKILL');
    }),
    clock: { now: () => 60 * DAY, monotonic: () => 0 },
    owner: { id: `${process.pid}`, pid: process.pid, host: hostname() },
  },
  { retention: DEFAULTS },
);
close();
process.stdout.write(JSON.stringify(report));
