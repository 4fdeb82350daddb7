import {
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { StampJudge } from '#disk/stamps';
import { stampsMoveOn } from '#test/support/stamps';
import type { Hands, RunOptions, SESSION } from '#test/unit/checkpoints/hands';
import { create, edit, type Lab, lab, type Step } from '#test/unit/checkpoints/lab';
import { treeOf } from '#test/unit/checkpoints/tree';

const run =
  (work: () => unknown, more?: RunOptions): Step =>
  (hands: Hands) =>
    hands.run('ln', work, more);

/** `ln -sfn`. */
function point(at: Lab, path: string, target: string | Buffer): void {
  rmSync(at.folder.at(path), { force: true });
  symlinkSync(target, at.folder.at(path));
}

/** What stood at `path` is at `to`, in its place a link to there. */
function moveLeavingLink(at: Lab, path: string, to: string): void {
  renameSync(at.folder.at(path), at.folder.at(to));
  symlinkSync(to, at.folder.at(path));
}

/** What stood at `path` is where the link was. */
function takePlaceOfLink(at: Lab, path: string, link: string): void {
  unlinkSync(at.folder.at(link));
  renameSync(at.folder.at(path), at.folder.at(link));
}

/** One command, its undo and its redo: each time all is as it was at that moment. */
async function backAndForth(at: Lab, work: () => unknown): Promise<void> {
  const before = at.tree();
  await at.turn(run(work));
  const after = at.tree();
  expect(after).not.toEqual(before);
  for (let times = 0; times < 2; times++) {
    expect([(await at.undo(1)).outcome, at.tree()]).toEqual([
      expect.objectContaining({ status: 'done', notes: [] }),
      before,
    ]);
    expect([(await at.redo()).outcome, at.tree()]).toEqual([
      expect.objectContaining({ status: 'done', notes: [] }),
      after,
    ]);
  }
  at.store.close();
}

test('a link that a command made is a change of the turn, undone and redone', async () => {
  const at = lab({ a: 'a' });
  const summary = await at.turn(run(() => symlinkSync('a', at.folder.at('b'))));
  expect([summary?.commandChanges, summary?.files]).toEqual([
    [],
    [
      {
        path: 'b',
        operation: 'create',
        before: { kind: 'absent' },
        after: { kind: 'link', target: 'a' },
        added: 1,
        removed: 0,
        command: 'ln',
      },
    ],
  ]);
  const undone = await at.undo(1);
  expect([undone.outcome, at.tree()]).toEqual([
    { status: 'done', turns: [1], files: ['b'], notes: [] },
    { a: 'a' },
  ]);
  expect([(await at.redo()).outcome.status, at.tree()]).toEqual(['done', { a: 'a', b: '→ a' }]);
});

describe('goes back and forth', () => {
  const OUTSIDE = '/nowhere/at/all';

  test('a link made, to a folder, to nothing, to outside, of an odd name and of a very long target', async () => {
    const at = lab({ a: 'a', 'd/x': 'x' });
    await backAndForth(at, () => {
      symlinkSync('d', at.folder.at('folder'));
      symlinkSync('gone', at.folder.at('dangling'));
      symlinkSync(OUTSIDE, at.folder.at('outside'));
      symlinkSync('..', at.folder.at('up'));
      symlinkSync('loop', at.folder.at('loop'));
      symlinkSync('é\n"\u202e ', at.folder.at('odd\nname'));
      symlinkSync('x/'.repeat(2000), at.folder.at('long'));
    });
  });

  test('a link removed', async () => {
    const at = lab({ a: 'a', 'd/x': 'x' });
    for (const [path, target] of Object.entries({ b: 'a', folder: 'd', dangling: 'gone', outside: OUTSIDE }))
      symlinkSync(target, at.folder.at(path));
    await backAndForth(at, () => {
      for (const path of ['b', 'folder', 'dangling', 'outside']) unlinkSync(at.folder.at(path));
    });
  });

  test('a link pointed elsewhere', async () => {
    const at = lab({ a: 'a', c: 'c', 'd/x': 'x' });
    symlinkSync('a', at.folder.at('b'));
    symlinkSync('d', at.folder.at('folder'));
    await backAndForth(at, () => {
      point(at, 'b', 'c');
      point(at, 'folder', OUTSIDE);
    });
  });

  test('a file moved away with a link in its place, and the other way round', async () => {
    const at = lab({ a: 'a', real: 'r' });
    symlinkSync('real', at.folder.at('link'));
    await backAndForth(at, () => {
      moveLeavingLink(at, 'a', 'b');
      takePlaceOfLink(at, 'real', 'link');
    });
  });

  test('a file replaced by a link, a link by a file', async () => {
    const at = lab({ a: 'a', b: 'b' });
    symlinkSync('a', at.folder.at('link'));
    await backAndForth(at, () => {
      point(at, 'b', 'a');
      unlinkSync(at.folder.at('link'));
      writeFileSync(at.folder.at('link'), 'now a file', { mode: 0o755 });
    });
  });

  test('a folder moved away with a link in its place, and the other way round', async () => {
    const at = lab({ 'lib/x': 'x', 'lib/sub/y': 'y', 'real/x': 'x', 'real/z': 'z' });
    mkdirSync(at.folder.at('lib/empty'));
    symlinkSync('real', at.folder.at('link'));
    await backAndForth(at, () => {
      moveLeavingLink(at, 'lib', 'lib-2');
      takePlaceOfLink(at, 'real', 'link');
    });
  });

  test('an empty folder replaced by a link and by a file, and the other way round', async () => {
    const at = lab({ a: 'a', f: 'f' });
    for (const path of ['e', 'g', 'g/deep']) mkdirSync(at.folder.at(path));
    symlinkSync('a', at.folder.at('link'));
    await backAndForth(at, () => {
      rmdirSync(at.folder.at('e'));
      symlinkSync('a', at.folder.at('e'));
      rmSync(at.folder.at('g'), { recursive: true });
      at.folder.write({ g: 'a file' });
      for (const path of ['f', 'link']) {
        unlinkSync(at.folder.at(path));
        mkdirSync(at.folder.at(path));
      }
    });
  });

  test('links in a folder that the command made, and in one that it removed', async () => {
    const at = lab({ 'old/x': 'x' });
    symlinkSync('x', at.folder.at('old/link'));
    await backAndForth(at, () => {
      mkdirSync(at.folder.at('new/deep'), { recursive: true });
      symlinkSync('../../old', at.folder.at('new/deep/link'));
      rmSync(at.folder.at('old'), { recursive: true });
    });
  });

  test('a folder replaced by a link to itself', async () => {
    const at = lab({ 'lib/x': 'x', 'lib/sub/y': 'y' });
    await backAndForth(at, () => {
      rmSync(at.folder.at('lib'), { recursive: true });
      symlinkSync('lib', at.folder.at('lib'));
    });
  });

  test('a link moved, and one to it', async () => {
    const at = lab({ a: 'a' });
    symlinkSync('a', at.folder.at('b'));
    await backAndForth(at, () => {
      renameSync(at.folder.at('b'), at.folder.at('c'));
      symlinkSync('c', at.folder.at('b'));
    });
  });

  test('thousands of links', async () => {
    const at = lab({ a: 'a' });
    mkdirSync(at.folder.at('many'));
    for (let index = 0; index < 1000; index++) symlinkSync(`../a${index}`, at.folder.at(`many/${index}`));
    await backAndForth(at, () => {
      for (let index = 0; index < 1000; index++) point(at, `many/${index}`, `../b${index}`);
    });
  });
});

test('a link that was made again as it was is no change', async () => {
  const at = lab({ a: 'a' });
  symlinkSync('a', at.folder.at('b'));
  expect(await at.turn(run(() => point(at, 'b', 'a')))).toBeUndefined();
});

test('over several turns a link is what the first of them found', async () => {
  const at = lab({ a: 'a', c: 'c' });
  await at.turn(run(() => symlinkSync('a', at.folder.at('b'))));
  await at.turn(run(() => point(at, 'b', 'c')));
  await at.turn(
    run(() => unlinkSync(at.folder.at('b'))),
    create('b', 'by a tool'),
  );
  const after = at.tree();
  await at.undo(3);
  expect(at.tree()).toEqual({ a: 'a', b: '→ c', c: 'c' });
  await at.undo(2);
  expect(at.tree()).toEqual({ a: 'a', b: '→ a', c: 'c' });
  await at.redo();
  await at.redo();
  expect(at.tree()).toEqual(after);
  await at.undo(1);
  expect(at.tree()).toEqual({ a: 'a', c: 'c' });
});

test('what a link leads to is never touched, wherever that is', async () => {
  const at = lab({ a: 'first' });
  at.storage.write({ 'outside/file': 'theirs', 'outside/folder/x': 'x' });
  symlinkSync(at.storage.at('outside/file'), at.folder.at('was-link'));
  symlinkSync(at.storage.at('outside/folder'), at.folder.at('was-folder'));
  await at.turn(
    run(() => {
      point(at, 'a', at.storage.at('outside/file'));
      unlinkSync(at.folder.at('was-link'));
      at.folder.write({ 'was-link': 'a file' });
      unlinkSync(at.folder.at('was-folder'));
      at.folder.write({ 'was-folder/x': 'of the command' });
    }),
  );
  const outside = () => [at.storage.text('outside/file'), at.storage.text('outside/folder/x')];
  expect([(await at.undo(1)).outcome.status, outside()]).toEqual(['done', ['theirs', 'x']]);
  expect([(await at.redo()).outcome.status, outside()]).toEqual(['done', ['theirs', 'x']]);
  expect(at.folder.text('was-folder/x')).toBe('of the command');
});

describe('a link that was changed since is a conflict with its cause', () => {
  const cases: readonly (readonly [string, (at: Lab) => unknown, string])[] = [
    ['pointed elsewhere', (at) => point(at, 'b', 'x'), "pointed elsewhere by hand after Belay's change"],
    ['removed', (at) => unlinkSync(at.folder.at('b')), "deleted by hand after Belay's change"],
    [
      'replaced by a file',
      (at) => {
        unlinkSync(at.folder.at('b'));
        at.folder.write({ b: 'mine' });
      },
      "replaced by hand after Belay's change",
    ],
  ];

  test.each(cases)('%s', async (_what, change, why) => {
    const at = lab({ a: 'a', c: 'c' });
    symlinkSync('c', at.folder.at('b'));
    await at.turn(run(() => point(at, 'b', 'a')));
    change(at);
    const tree = at.tree();
    expect([(await at.undo(1)).outcome, at.tree()]).toEqual([
      { status: 'conflict', turns: [1], conflicts: [{ path: 'b', why }] },
      tree,
    ]);
    expect([(await at.undo(1, { choices: { b: 'skip' } })).outcome.status, at.tree()]).toEqual([
      'nothing',
      tree,
    ]);
  });

  test.each(cases)('%s, and overwritten at a word: redo brings it back', async (_what, change) => {
    const at = lab({ a: 'a', c: 'c', d: 'd' });
    symlinkSync('d', at.folder.at('b'));
    await at.turn(run(() => point(at, 'b', 'a')));
    change(at);
    const tree = at.tree();
    expect((await at.undo(1, { choices: { b: 'overwrite' } })).outcome.status).toBe('done');
    expect(at.tree()).toEqual({ ...tree, b: '→ d' });
    expect([(await at.redo()).outcome.status, at.tree()]).toEqual(['done', tree]);
  });

  test('something stands where a removed link has to be: it is not written over', async () => {
    const at = lab({ a: 'a' });
    symlinkSync('a', at.folder.at('b'));
    await at.turn(run(() => unlinkSync(at.folder.at('b'))));
    at.folder.write({ b: 'mine' });
    expect((await at.undo(1)).outcome).toMatchObject({
      conflicts: [{ path: 'b', why: "made by hand after Belay's change" }],
    });
    unlinkSync(at.folder.at('b'));
    mkdirSync(at.folder.at('b'));
    expect((await at.undo(1, { onConflict: 'overwrite' })).outcome).toMatchObject({
      conflicts: [{ path: 'b', why: 'a folder stands there now' }],
    });
  });

  test('by another session', async () => {
    const at = lab({ a: 'a', c: 'c' });
    await at.turn(run(() => symlinkSync('a', at.folder.at('b'))));
    await at.turnIn(
      'other' as typeof SESSION,
      run(() => point(at, 'b', 'c')),
    );
    expect((await at.undo(1)).outcome).toMatchObject({
      conflicts: [{ path: 'b', why: 'changed by the command `ln`' }],
    });
  });

  test('with unsaved text in an editor under its name', async () => {
    const at = lab({ a: 'a' });
    await at.turn(run(() => symlinkSync('a', at.folder.at('b'))));
    at.host.dirty.set(at.folder.at('b'), 'typed');
    expect((await at.undo(1)).outcome.status).toBe('conflict');
  });

  test('where it stands in the place of a folder, nothing is done through another link of that name', async () => {
    const at = lab({ 'lib/x': 'x', 'lib/y': 'y' });
    at.storage.write({ 'out/keep': 'k' });
    await at.turn(
      run(() => {
        renameSync(at.folder.at('lib'), at.folder.at('lib-2'));
        symlinkSync('lib-2', at.folder.at('lib'));
      }),
    );
    point(at, 'lib', at.storage.at('out'));
    const tree = at.tree();
    for (const onConflict of ['stop', 'skip', 'overwrite'] as const) {
      const { outcome } = await at.undo(1, { onConflict });
      expect([outcome.status === 'done', at.tree(), treeOf(at.storage.at('out'))]).toEqual([
        false,
        tree,
        { keep: 'k' },
      ]);
    }
  });
});

test('a link in the place of a folder that is left keeps the folder’s files where they are', async () => {
  const at = lab({ 'lib/x': 'x' });
  const before = at.tree();
  await at.turn(
    run(() => {
      renameSync(at.folder.at('lib'), at.folder.at('lib-2'));
      symlinkSync('lib-2', at.folder.at('lib'));
    }),
  );
  const after = at.tree();
  for (const more of [{ choices: { lib: 'skip' } }, { paths: ['lib/x'] }] as const)
    expect([(await at.undo(1, more)).outcome.status, at.tree()]).toEqual(['conflict', after]);
  expect([(await at.undo(1)).outcome.status, at.tree()]).toEqual(['done', before]);
});

test('a link to a place that a person made a link of isn’t reached through it', async () => {
  const at = lab({ 'd/a': 'a' });
  symlinkSync('a', at.folder.at('d/b'));
  await at.turn(run(() => unlinkSync(at.folder.at('d/b'))));
  renameSync(at.folder.at('d'), at.storage.at('moved'));
  symlinkSync(at.storage.at('moved'), at.folder.at('d'));
  expect((await at.undo(1, { onConflict: 'overwrite' })).outcome).toMatchObject({
    conflicts: [{ path: 'd/b', why: 'a folder above it is a link to another place now' }],
  });
  expect(existsSync(at.storage.at('moved/b'))).toBe(false);
});

test('a folder that becomes a link in the middle of an undo is not reached through it either', async () => {
  let swap: () => void = () => undefined;
  const at = lab({ 'd/a': 'a', e: 'e' }, { onStep: (step) => step === 'planned' && swap() });
  symlinkSync('a', at.folder.at('d/b'));
  await at.turn(
    run(() => {
      unlinkSync(at.folder.at('d/b'));
      at.folder.write({ e: 'E', 'd/a': 'A', 'd/new/x': 'x' });
    }),
  );
  swap = () => {
    renameSync(at.folder.at('d'), at.storage.at('moved'));
    symlinkSync(at.storage.at('moved'), at.folder.at('d'));
  };
  const { outcome } = await at.undo(1);
  expect([outcome.status, treeOf(at.storage.at('moved')), at.folder.text('e')]).toEqual([
    'conflict',
    { a: 'A', 'new/x': 'x' },
    'E',
  ]);
});

test('a link comes back with its folder, where that is gone by now, and both go with the redo', async () => {
  const at = lab({ a: 'a', 'd/e/x': 'x' });
  symlinkSync('x', at.folder.at('d/e/b'));
  await at.turn(run(() => unlinkSync(at.folder.at('d/e/b'))));
  rmSync(at.folder.at('d'), { recursive: true });
  expect([(await at.undo(1)).outcome.status, at.tree()]).toEqual(['done', { a: 'a', 'd/e/b': '→ x' }]);
  expect([(await at.redo()).outcome.status, at.tree()]).toEqual(['done', { a: 'a' }]);
});

test('a moved link is undone or left as one', async () => {
  const at = lab({ a: 'a' });
  symlinkSync('a', at.folder.at('b'));
  await at.turn(run(() => renameSync(at.folder.at('b'), at.folder.at('c'))));
  at.folder.write({ b: 'mine' });
  expect((await at.undo(1)).outcome).toMatchObject({ conflicts: [{ path: 'b', tied: ['c'] }] });
  await at.undo(1, { choices: { b: 'skip' } });
  expect(at.tree()).toEqual({ a: 'a', b: 'mine', c: '→ a' });
});

test('a link that was moved here from where no look goes stays', async () => {
  const at = lab({ a: 'a' });
  mkdirSync(at.folder.at('node_modules/.bin'), { recursive: true });
  symlinkSync('../x', at.folder.at('node_modules/.bin/tool'));
  const stats = lstatSync(at.folder.at('node_modules/.bin/tool'));
  const tells = stats.birthtimeMs > 0 && new StampJudge().isExact(at.folder.path, statSync(at.folder.path));
  const summary = await at.turn(
    stampsMoveOn,
    run(() => renameSync(at.folder.at('node_modules/.bin/tool'), at.folder.at('tool'))),
  );
  const told = summary?.commandChanges.flatMap(({ path, why }) => (path === 'tool' ? [why] : []));
  expect(told).toEqual(tells ? ['moved'] : []);
});

test('a link whose target is no text is listed, and stays', async () => {
  const at = lab({ a: 'a' });
  const odd = Buffer.from('caf\xe9', 'latin1');
  symlinkSync(odd, at.folder.at('goes'));
  symlinkSync('a', at.folder.at('turns'));
  const summary = await at.turn(
    run(() => {
      unlinkSync(at.folder.at('goes'));
      symlinkSync(odd, at.folder.at('comes'));
      point(at, 'turns', odd);
    }),
  );
  expect(summary?.commandChanges.map(({ path, operation, why }) => [path, operation, why])).toEqual([
    ['goes', 'delete', 'special'],
    ['turns', 'modify', 'special'],
    ['comes', 'create', 'special'],
  ]);
  expect((await at.undo(1)).outcome.status).toBe('nothing');
  expect(readlinkSync(at.folder.at('comes'), { encoding: 'buffer' })).toEqual(odd);
});

test('while another command runs, it is listed as changed meanwhile; Belay’s own settings are its own', async () => {
  const at = lab({ a: 'a', '.belay/x': 'x' });
  const beside = await at.turn(
    run(() => symlinkSync('a', at.folder.at('b')), { beside: ['npm run dev'] }),
    run(() => symlinkSync('x', at.folder.at('.belay/link'))),
  );
  expect(beside?.commandChanges.map(({ path, why }) => [path, why])).toEqual([
    ['b', 'meanwhile'],
    ['.belay/link', 'own'],
  ]);
});

test('a link named like a build folder is a link', async () => {
  const at = lab({ 'shared/x': 'x' });
  await backAndForth(at, () => symlinkSync('shared', at.folder.at('node_modules')));
});

test('one link of a turn goes back alone', async () => {
  const at = lab({ a: 'a' });
  await at.turn(
    run(() => {
      symlinkSync('a', at.folder.at('b'));
      symlinkSync('a', at.folder.at('c'));
    }),
  );
  expect((await at.undo(1, { paths: ['b'] })).outcome).toMatchObject({ status: 'done', files: ['b'] });
  expect(at.tree()).toEqual({ a: 'a', c: '→ a' });
});

test('a link waits for review as a file does, and says what is written in it', async () => {
  const at = lab({ a: 'a' });
  symlinkSync('a', at.folder.at('b'));
  const summary = await at.turn(run(() => point(at, 'b', 'c')));
  const review = { sessionId: 'session-1' as typeof SESSION, since: 0 };
  const [file] = at.checkpoints.reviewed(review);
  if (!file || !summary) throw new Error('nothing waits');
  const text = async (bytes: Promise<Uint8Array | undefined>) => Buffer.from((await bytes) ?? []).toString();
  expect([
    file.path,
    await at.checkpoints.reviewedLines(file),
    await text(at.checkpoints.baseline(file)),
    await text(at.checkpoints.content(summary.id, 'b', 'before')),
    await text(at.checkpoints.content(summary.id, 'b', 'after')),
    (await at.checkpoints.undoHunk(review, { path: 'b', line: 1, side: 'now' })).outcome.status,
  ]).toEqual(['b', { added: 1, removed: 1 }, 'a', 'a', 'c', 'nothing']);
});

test('links are read once: what is known of one holds while its stat does', async () => {
  const at = lab({ a: 'a' });
  symlinkSync('a', at.folder.at('b'));
  await at.turn(run(() => undefined));
  unlinkSync(at.folder.at('b'));
  symlinkSync('c', at.folder.at('b'));
  await at.turn(run(() => unlinkSync(at.folder.at('b'))));
  expect((await at.undo(2)).outcome.status).toBe('done');
  expect(readlinkSync(at.folder.at('b'))).toBe('c');
});

test('a tool writes what a link led to, and the undo gives back both', async () => {
  const at = lab({ a: 'a' });
  const before = at.tree();
  await at.turn(
    run(() => symlinkSync('a', join(at.folder.path, 'b'))),
    edit('a', 'A'),
  );
  await at.undo(1);
  expect(at.tree()).toEqual(before);
});
