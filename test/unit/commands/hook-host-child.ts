import { runHookProcess } from '#commands/hook-process';

// A process that runs a hook and is killed while the hook runs.
const [cwd = '/'] = process.argv.slice(2);
await runHookProcess({
  command: 'echo $$ > pid; sleep 64',
  shell: { file: '/bin/sh', args: ['-c'] },
  cwd,
  env: { PATH: '/usr/bin:/bin' },
  input: '{}',
  marker: `${process.pid}.hook-host`,
  timeoutMs: 60_000,
  signal: new AbortController().signal,
});
