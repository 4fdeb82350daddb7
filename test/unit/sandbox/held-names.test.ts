import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { PROTECTED_FILES } from '#protocol/settings';
import { clearPlaceholders, placeholders } from '#sandbox/placeholders';
import { childScript } from '#test/support/child-script';
import { eventually } from '#test/support/eventually';
import { type LabOptions, type SandboxLab, sandboxLab } from '#test/support/sandbox-lab';
import { PLACES } from '#test/support/sandboxes';

vi.setConfig({ testTimeout: 60_000 });

const labs: SandboxLab[] = [];
afterEach(() => {
  for (const lab of labs.splice(0)) lab.dispose();
});

function made(options: LabOptions = {}): SandboxLab {
  const lab = sandboxLab(options);
  labs.push(lab);
  return lab;
}

/** A lab without a repository, so that nothing protected is there. */
function bare(options: LabOptions = {}): SandboxLab {
  const lab = made(options);
  rmSync(join(lab.workspace, '.git'), { recursive: true });
  return lab;
}

const entries = (lab: SandboxLab) => readdirSync(lab.workspace).sort();
const ABSENT = ['.git', '.vscode', '.idea', '.husky', '.belay', '.claude', '.agents', '.mcp.json', '.envrc'];

test.each(PLACES)('protected names that are not there stay so: %s', async (_name, place) => {
  const lab = bare(place);
  const { output } = await lab.run(`for f in ${ABSENT.join(' ')}; do
      mkdir -p $f/hooks && echo x > $f/hooks/pre-commit && echo "PLANTED $f"; rmdir $f; rm -rf $f; mv $f away
      echo x > $f && echo "WRITTEN $f"; echo x > new && mv -f new $f/inside && echo "MOVED $f"; ln -s /tmp $f && echo "LINKED $f"; rm -f new
    done; git init -q . && echo MADE; echo fine > allowed; mkdir .github && echo allowed too`);
  expect(output).not.toMatch(/PLANTED|WRITTEN|MOVED|MADE/);
  expect(output).toContain('allowed too');
  expect(entries(lab)).toEqual(['.github', 'allowed']);
});

test('a repository without hooks gets none', async () => {
  const lab = made();
  rmSync(join(lab.workspace, '.git', 'hooks'), { recursive: true });
  await lab.run('mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit; echo fine > .git/allowed');
  expect([
    existsSync(join(lab.workspace, '.git', 'hooks')),
    existsSync(join(lab.workspace, '.git', 'allowed')),
  ]).toEqual([false, true]);
});

test.each(PLACES)(
  'another configuration is not brought in by commondir, neither while a command runs nor afterwards: %s',
  async (_name, place) => {
    const lab = made(place);
    lab.write('workspace/sub/.git/HEAD', 'ref: refs/heads/main\n');
    lab.write('workspace/sub/.git/config', '');
    const { output } = await lab.run(`mkdir evil; for g in .git sub/.git; do echo ../evil > $g/commondir; done
      for i in $(seq 100); do [ -e .git/commondir ] || break; sleep 0.05; done; [ -e .git/commondir ] || echo gone
      mkdir .git/commondir; echo ../evil > sub/.git/commondir; true`);
    expect(output).toContain('gone\n');
    expect(['.git', 'sub/.git'].map((name) => existsSync(join(lab.workspace, name, 'commondir')))).toEqual([
      false,
      false,
    ]);
  },
);

test('a linked worktree keeps its commondir', async () => {
  const lab = made();
  execFileSync(
    'sh',
    [
      '-c',
      `git -c user.name=n -c user.email=e commit -q --allow-empty -m first && git worktree add -q ${lab.root}/tree`,
    ],
    { cwd: lab.workspace },
  );
  const tree = join(lab.root, 'tree');
  await lab.run('git status', { workspaceRoot: tree, cwd: tree });
  expect(existsSync(join(lab.workspace, '.git/worktrees/tree/commondir'))).toBe(true);
});

test('a folder inside a repository still finds it', async () => {
  const lab = made();
  const inner = join(lab.workspace, 'inner');
  mkdirSync(inner);
  const { output } = await lab.run('git rev-parse --show-toplevel', { workspaceRoot: inner, cwd: inner });
  expect(output).toBe(`${lab.workspace}\n`);
});

test.each(PLACES)(
  'the parents of protected names cannot be moved away, and files move freely between them: %s',
  async (_name, place) => {
    const lab = made(place);
    lab.write('workspace/packages/a/.vscode/settings.json', 'kept', 0o666);
    lab.write('workspace/packages/a/b/.git/config', 'kept', 0o666);
    lab.write('workspace/packages/c/file', 'moved');
    const { output } = await lab.run(`
      mv packages away; mv packages/a away; mv packages/a/b away; rm -rf packages/a; mkdir -p packages/a/.vscode; echo evil > packages/a/.vscode/settings.json
      mv packages/c/file packages/a/file && mv packages/a/file file && mv packages/c d && cat file`);
    expect(output).toMatch(/moved$/);
    const kept = ['.vscode/settings.json', 'b/.git/config'].map((name) =>
      readFileSync(join(lab.workspace, 'packages/a', name), 'utf8'),
    );
    expect([kept, entries(lab)]).toEqual([
      ['kept', 'kept'],
      ['.git', 'd', 'file', 'packages'],
    ]);
  },
);

test.each(PLACES)('a rename between pinned folders is one step, no copy: %s', async (_name, place) => {
  const lab = made(place);
  lab.write('workspace/packages/a/.envrc', 'kept');
  lab.write('workspace/packages/a/file', '');
  const before = execFileSync('stat', ['-c', '%i', join(lab.workspace, 'packages/a/file')]).toString();
  const { output } = await lab.run('mv packages/a/file file && stat -c %i file');
  expect(output).toBe(before);
});

test.each(PLACES)(
  'with the workspace read-only nothing in it changes, caches do: %s',
  async (_name, place) => {
    const lab = bare(place);
    lab.write('workspace/file', 'kept', 0o666);
    const { output } = await lab.run(
      `echo x > file; echo x > new; mkdir .vscode; rm -f file; cat file; echo c > ${lab.caches}/c && echo cached; echo t > /tmp/t && echo temporary`,
      { workspaceReadOnly: true },
    );
    expect(output).toMatch(/kept.*cached\ntemporary\n$/s);
    expect([entries(lab), readFileSync(join(lab.workspace, 'file'), 'utf8')]).toEqual([['file'], 'kept']);
  },
);

test('of two commands at once, the one that ends first takes nothing from the other', async () => {
  const lab = bare();
  const long = lab.run('until [ -e go ]; do sleep 0.05; done; mkdir -p .vscode/x && echo PLANTED; true');
  await eventually(() => expect(entries(lab)).toContain('.vscode'));
  await lab.run('true');
  writeFileSync(join(lab.workspace, 'go'), '');
  expect(await long).toEqual({ code: 0, output: expect.not.stringContaining('PLANTED') });
  expect(entries(lab)).toEqual(['go']);
});

test('what somebody puts in meanwhile is theirs and stays', async () => {
  const lab = bare();
  const running = lab.run('until [ -e go ]; do sleep 0.05; done');
  await eventually(() => expect(entries(lab)).toContain('.vscode'));
  lab.write('workspace/.vscode/settings.json', '{}');
  writeFileSync(join(lab.workspace, 'go'), '');
  await running;
  expect(entries(lab)).toEqual(['.vscode', 'go']);
});

test('an empty folder that was there before stays', async () => {
  const lab = bare();
  mkdirSync(join(lab.workspace, '.idea'));
  await lab.run('true');
  expect(entries(lab)).toEqual(['.idea']);
});

test('what stands in is used again and again, never with something in it', async () => {
  const lab = bare();
  const inodes = () => ABSENT.map((name) => statSync(join(lab.workspace, name)).ino).sort();
  const first = held(lab);
  const before = inodes();
  first.release();
  const kept = join(heldFolder(lab), 'spare');
  const second = held(lab);
  const again = inodes();
  second.release();
  // As if somebody had written to it in the very moment in which it was taken away.
  mkdirSync(join(kept, 'late'));
  writeFileSync(join(kept, 'late', 'settings.json'), '{}');
  const third = held(lab);
  const inside = ABSENT.flatMap((name) => readdirSync(join(lab.workspace, name)));
  third.release();
  expect([again, inside, entries(lab), readdirSync(join(kept, 'late'))]).toEqual([
    before,
    [],
    [],
    ['settings.json'],
  ]);
});

test('a lock that a killed window left holds nobody up for long', async () => {
  const lab = bare();
  held(lab).release();
  const folder = heldFolder(lab);
  linkSync(join(folder, 'key'), join(folder, 'lock'));
  const place = held(lab);
  const during = entries(lab);
  place.release();
  expect([during, entries(lab), existsSync(join(folder, 'lock'))]).toEqual([[...ABSENT].sort(), [], false]);
});

test('names are held and let go where the disk knows no further names of a file', async () => {
  const lab = bare();
  held(lab).release();
  // As on such a disk, a folder can't be given one.
  for (const name of readdirSync(heldFolder(lab)).filter((name) => name !== 'spare')) {
    rmSync(join(heldFolder(lab), name));
    mkdirSync(join(heldFolder(lab), name));
  }
  const place = held(lab);
  const during = entries(lab);
  place.release();
  expect([during, entries(lab)]).toEqual([[...ABSENT].sort(), []]);
});

test('a list of names that was cut short is written anew', async () => {
  const lab = bare();
  held(lab).release();
  const [list = ''] = readdirSync(heldFolder(lab)).filter((name) => name.startsWith('list.'));
  writeFileSync(join(heldFolder(lab), list), '');
  held(lab).release();
  const names = readFileSync(join(heldFolder(lab), list), 'utf8').split('\n');
  expect(names.toSorted()).toEqual([...ABSENT].sort());
});

test('a link that took the place of what stands in stays, and so does what it leads to', async () => {
  const lab = bare();
  mkdirSync(join(lab.workspace, 'target'));
  const place = held(lab);
  rmSync(join(lab.workspace, '.idea'), { recursive: true });
  symlinkSync('target', join(lab.workspace, '.idea'));
  place.release();
  expect(entries(lab)).toEqual(['.idea', 'target']);
});

test('names that the user took off the list are free', async () => {
  const lab = bare();
  await lab.run('mkdir .vscode', { protectedNames: PROTECTED_FILES.filter((name) => name !== '.vscode/') });
  expect(entries(lab)).toEqual(['.vscode']);
});

test('another window that is killed leaves nothing behind for long, and takes nothing from this one', async () => {
  const lab = bare();
  const child = await otherWindow(lab);
  const mine = held(lab);
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  clearPlaceholders(lab.workspace, lab.storage);
  const during = entries(lab);
  mine.release();
  expect([during, entries(lab)]).toEqual([[...ABSENT].sort(), []]);
});

test('what a killed window left is cleared away at the next start', async () => {
  const lab = bare();
  const child = await otherWindow(lab);
  clearPlaceholders(lab.workspace, lab.storage);
  const during = entries(lab);
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  clearPlaceholders(lab.workspace, lab.storage);
  expect([during, entries(lab)]).toEqual([[...ABSENT].sort(), []]);
});

function held(lab: SandboxLab) {
  return placeholders({
    workspaceRoot: lab.workspace,
    protectedNames: PROTECTED_FILES,
    storage: lab.storage,
  });
}

/** Where Belay remembers what is held in the lab's workspace. */
function heldFolder(lab: SandboxLab): string {
  const [folder = ''] = readdirSync(join(lab.storage, 'held'));
  return join(lab.storage, 'held', folder);
}

/** Another process that holds the names until it is killed. */
async function otherWindow(lab: SandboxLab) {
  const script = await childScript(import.meta.dirname, 'held-names-child.ts');
  const child = spawn(process.execPath, [script, lab.workspace, lab.storage], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child;
}
