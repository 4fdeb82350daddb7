import { closeSync, openSync } from 'node:fs';
import { delay } from '#base/queue';
import { gitReader } from '#commands/git-objects';
import { runHookProcess } from '#commands/hook-process';
import { Launchers } from '#commands/launchers';

// A process that may open no more files while it is asked to start programs: it prints what it was told, and lives on.
const [worktree = '/', object = ''] = process.argv.slice(2);
const git = gitReader({ program: () => '/usr/bin/git', variables: process.env });
const repository = await git.open(worktree);
if (!repository) throw new Error('no repository');
const launchers = new Launchers();
const ahead = { args: [], told: [], toldOn: 4, files: () => [] };
await launchers.start({ file: '/bin/true', args: [], env: {}, cwd: '/', launcher: true, ahead });

const open: number[] = [];
/** Takes every file that there is room for: what ended meanwhile gave its own back. */
function fill(): void {
  try {
    for (;;) open.push(openSync('/dev/null', 'r'));
  } catch {
    // That was the last one.
  }
}
fill();
const hook = await runHookProcess({
  command: 'true',
  shell: { file: '/bin/sh', args: ['-c'] },
  cwd: '/',
  env: {},
  input: '',
  marker: `${process.pid}.no-room`,
  timeoutMs: 5000,
  signal: new AbortController().signal,
});
fill();
const sizes = await git.sizes(repository, [object]);
const wanted = [{ object, bytes: 3 }];
fill();
const contents = await git.contents(repository, wanted);
fill();
// Enough for the pipe of the launcher that is started ahead, and too few for its process.
for (const file of open.splice(0, 3)) closeSync(file);
await delay(300);
for (const file of open) closeSync(file);
const later = await git.contents(repository, wanted);
console.log(JSON.stringify([hook.kind, sizes.get(object), contents.size, later.size]));
launchers.dispose();
// The time that a git would have had isn't waited for.
process.exit();
