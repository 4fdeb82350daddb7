import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { readOnlyCommands } from '#agent/read-only-commands';
import { PROTECTED_FILES } from '#protocol/settings';
import { bubblewrap } from '#sandbox/bubblewrap';
import { noSandbox } from '#sandbox/none';
import { confinedTo, type Sandbox } from '#sandbox/sandbox';
import { requireBubblewrap } from '#test/support/bubblewrap';
import { type CommandLab, commandLab } from '#test/support/command-lab';

vi.setConfig({ testTimeout: 60_000 });

let lab: CommandLab | undefined;
afterEach(() => lab?.dispose());

/** A repository with a change, whose configuration names a program that leaves a mark wherever git can be made to run one. */
function evilRepository(): CommandLab {
  const made = commandLab();
  lab = made;
  const at = (name: string) => join(made.workspace, name);
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', made.workspace, '-c', 'user.name=x', '-c', 'user.email=x@y', ...args]);
  git('init', '-q');
  writeFileSync(at('a.txt'), 'a\n');
  git('add', 'a.txt');
  git('commit', '-qm', 'a');
  writeFileSync(at('a.txt'), 'b\n');
  mkdirSync(at('hooks'));
  for (const name of ['evil.sh', 'hooks/post-index-change'])
    writeFileSync(at(name), `#!/bin/sh\ntouch ${at('mark')}\n`, { mode: 0o755 });
  const program = at('evil.sh');
  for (const key of ['core.fsmonitor', 'core.pager', 'gpg.program', 'core.sshCommand'])
    git('config', key, program);
  git('config', 'core.hooksPath', at('hooks'));
  git('config', 'log.showSignature', 'true');
  return made;
}

function reading(made: CommandLab, sandbox: Sandbox) {
  const place = {
    workspaceRoot: made.workspace,
    writable: [],
    hidden: [],
    protectedNames: PROTECTED_FILES,
    home: made.home,
    storage: made.storage,
  };
  return { sandbox: readOnlyCommands(confinedTo(place, sandbox), made.workspace) };
}

const SHOWING = 'git status --short; git diff; git log -p; git show; git branch --show-current';

test('PE-09 the repository that is used here does run programs when it is let', async () => {
  const made = evilRepository();
  await made.run(SHOWING);
  expect(existsSync(join(made.workspace, 'mark'))).toBe(true);
});

test('PE-09 in a call that only reads git runs nothing that a repository names', async () => {
  const made = evilRepository();
  const { output, exitCode } = await made.run(SHOWING, {}, reading(made, noSandbox('none')));
  expect({ exitCode, shows: output.includes('+b'), mark: existsSync(join(made.workspace, 'mark')) }).toEqual({
    exitCode: 0,
    shows: true,
    mark: false,
  });
});

test('a call that only reads can write nothing in the workspace, and reads as ever', async () => {
  const made = evilRepository();
  const options = reading(made, bubblewrap(requireBubblewrap(), 'test'));
  const { output } = await made.run('cat a.txt; git status --short; touch x; echo y > a.txt', {}, options);
  expect(output).toMatch(/^b\n M a\.txt\n/);
  expect(output.match(/Read-only file system/g)).toHaveLength(2);
});

test('a program of the workspace does not stand in for one of the system', async () => {
  const made = evilRepository();
  mkdirSync(join(made.workspace, 'bin'));
  writeFileSync(join(made.workspace, 'bin/ls'), '#!/bin/sh\necho evil\n', { mode: 0o755 });
  const PATH = `${join(made.workspace, 'bin')}:/usr/bin:/bin`;
  const environment = { ...made.environment, variables: { ...made.environment.variables, PATH } };
  const plain = await made.run('ls', {}, { environment });
  const read = await made.run('ls a.txt', {}, { environment, ...reading(made, noSandbox('none')) });
  expect([plain.output.trim(), read.output.trim()]).toEqual(['evil', 'a.txt']);
});
