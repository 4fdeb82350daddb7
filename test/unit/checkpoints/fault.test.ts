import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { BlobStore } from '#checkpoints/blobs';
import { createCheckpoints } from '#checkpoints/checkpoints';
import { openStore } from '#store/store';
import { childScript } from '#test/support/child-script';
import { memoryHost } from '#test/support/memory-host';
import { tempFolder } from '#test/support/temp-folder';
import type { Failure } from './fault-child';
import { SESSION } from './hands';
import { treeOf } from './tree';

const BEFORE = { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' };
const NEW_A = 'A'.repeat(5000);
/** All that a path may ever hold. */
const POSSIBLE: Readonly<Record<string, readonly (string | undefined)[]>> = {
  'a.txt': ['a', NEW_A],
  'b.txt': ['b', undefined],
  'd/b.txt': ['b', undefined],
  'c.txt': ['c', undefined],
  'e/f.txt': ['F', undefined],
};

/** Milliseconds: dozens of processes, each of which waits for the disk. */
const PATIENCE = 180_000;

let script = '';
beforeAll(async () => {
  script = await childScript(import.meta.dirname, 'fault-child.ts');
});

/** What is in that tree and shouldn't be, folders aside. */
function strange(tree: Readonly<Record<string, string>>): readonly string[] {
  const odd = Object.keys(POSSIBLE).filter((path) => !POSSIBLE[path]?.includes(tree[path]));
  const unknown = Object.keys(tree).filter((path) => !(path in POSSIBLE) && !path.endsWith('/'));
  const lost = tree['b.txt'] === undefined && tree['d/b.txt'] === undefined ? ['b is lost'] : [];
  return [...odd, ...unknown, ...lost];
}

describe('a call to the disk fails', () => {
  test.each(['ENOSPC', 'EACCES', 'EROFS', 'EIO'])(
    '%s at any of them: each file is old or new, no temporary one stays, and undo gives all back',
    { timeout: PATIENCE },
    (code) => {
      const printed = execFileSync(process.execPath, [script, 'fail', code], { encoding: 'utf8' });
      const failures = JSON.parse(printed) as readonly Failure[];
      const wrong = failures.filter(
        ({ tree, treeAfterUndo, undone, ...failure }) =>
          strange(tree).some((path) => !mayStay(path, failure)) ||
          undone === 'conflict' ||
          !isBefore(treeAfterUndo, (path) => mayStay(path, failure)),
      );
      expect(wrong).toEqual([]);
      expect(failures.length).toBeGreaterThan(30);
    },
  );
});

describe('killed right before a call that changes the disk', () => {
  const each =
    'at every fourth from number %i on: each file is old or new, no temporary one stays, undo gives all back';
  test.each([1, 2, 3, 4])(each, { timeout: PATIENCE }, async (first) => {
    const wrong: unknown[] = [];
    let nth = first;
    for (; nth < 400; nth += 4) {
      const [workspace, storage] = [tempFolder(BEFORE), tempFolder()];
      const args = [script, 'kill', workspace.path, storage.path, String(nth)];
      const { signal, status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      if (signal !== 'SIGKILL') {
        expect([status, stderr]).toEqual([0, '']);
        break;
      }
      const killed = treeOf(workspace.path);
      const undone = await undoAfterRestart(workspace.path, storage.path);
      const left = Object.keys(treeOf(join(storage.path, 'blobs'))).filter((name) => name.endsWith('.tmp'));
      if (
        !isOldOrNew(killed) ||
        undone === 'conflict' ||
        !isBefore(treeOf(workspace.path)) ||
        left.length > 0
      )
        wrong.push({ nth, killed, undone, tree: treeOf(workspace.path), left });
    }
    expect(wrong).toEqual([]);
    expect(nth).toBeGreaterThan(40);
  });
});

/** A temporary file that the disk doesn't give up is left for the next start, and the change it was made for succeeds. */
function mayStay(path: string, { call, outcomes }: Pick<Failure, 'call' | 'outcomes'>): boolean {
  return isTemporary(path) && call === 'unlinkSync' && outcomes.every((outcome) => outcome === 'ok');
}

function isTemporary(path: string): boolean {
  return /\.belay-\d+-[0-9a-f]+\.tmp$/.test(path);
}

/** A temporary file may lie there until the next start. */
function isOldOrNew(tree: Readonly<Record<string, string>>): boolean {
  return strange(tree).every(isTemporary);
}

function isBefore(
  tree: Readonly<Record<string, string>>,
  mayBeThere: (path: string) => boolean = () => false,
): boolean {
  const paths = Object.entries(tree).filter(([path]) => !mayBeThere(path));
  return JSON.stringify(Object.fromEntries(paths)) === JSON.stringify(BEFORE);
}

async function undoAfterRestart(folder: string, storage: string): Promise<string> {
  const host = memoryHost();
  const opened = openStore({ path: join(storage, 'belay.db'), log: host.log, clock: host.clock });
  if (!opened.ok) throw new Error(opened.error.message);
  const checkpoints = createCheckpoints({
    ...host,
    store: opened.value,
    blobs: new BlobStore(join(storage, 'blobs')),
    folder: folder as Parameters<typeof createCheckpoints>[0]['folder'],
    random: { id: () => crypto.randomUUID() },
  });
  await checkpoints.recover(SESSION);
  const { outcome } = await checkpoints.undo({ sessionId: SESSION, turn: 1, scope: 'files' });
  opened.value.close();
  return outcome.status;
}
