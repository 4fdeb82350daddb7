// First: what is loaded after it calls disk and database through it.

import { createCheckpoints } from '#checkpoints/checkpoints';
import { dieAtPoint, dieBehind, pointsPassed } from '#test/support/kill-points';
import { childWorld } from '../child-world';
import { JOBS, type Job } from './jobs';

// A process of its own: does one job on a folder and dies at its nth point, or behind the first of a name. When there is none, or with
// 0, it prints all points.
const [folder = '', storage = '', job = '', where = '0'] = process.argv.slice(2);

const { world, close } = childWorld({ folder, storage });
const checkpoints = createCheckpoints(world);
if (/^\d+$/.test(where)) dieAtPoint(Number(where));
else dieBehind(where);
await JOBS[job as Job]({ world, checkpoints, storage });
// What is kept when there is time.
await new Promise((resolve) => setImmediate(resolve));
process.stdout.write(JSON.stringify(pointsPassed()));
close();
