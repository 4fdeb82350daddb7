import { startStdioProgram } from '#commands/stdio-program';
import { Watchdog } from '#commands/watchdog';

// A process that starts a program with a child of its own and is killed while both run.
const [cwd = '/'] = process.argv.slice(2);
await startStdioProgram({
  command: '/bin/sh',
  args: ['-c', 'trap "" TERM; sleep 61 & echo $! > child; echo $$ > pid; cat'],
  cwd,
  env: { PATH: '/usr/bin:/bin' },
  marker: `${process.pid}.stdio-host`,
  watchdog: new Watchdog(),
});
// Only now somebody minds it.
console.log('started');
setInterval(() => undefined, 1000);
