import { describe, expect, test } from 'vitest';
import type { HunkPlace } from '#checkpoints/hunks';
import type { SessionId } from '#protocol/ids';
import { SESSION } from './hands';
import { create, edit, type Lab, lab, remove, rename } from './lab';

const REVIEW = { sessionId: SESSION, since: 0 };
const OLD = '1\n2\n3\n4\n5\n6\n7\n';
const NEW = 'one\n2\n3\nfour\n5\n6\n7\n8\n';

const now = (line: number, path = 'a.txt'): HunkPlace => ({ path, line, side: 'now' });

/** What waits for review: the file, what was done to it, by which turns, with how many lines. */
async function waiting({ checkpoints }: Lab, since = 0) {
  const files = checkpoints.reviewed({ sessionId: SESSION, since });
  return Promise.all(
    files.map(async (file) => {
      const { added, removed } = await checkpoints.reviewedLines(file);
      return `${file.path} ${file.operation} ${file.turns.join(',')} +${added} -${removed}`;
    }),
  );
}

async function baseline({ checkpoints }: Lab, path = 'a.txt') {
  const file = checkpoints.reviewed(REVIEW).find((each) => each.path === path);
  const bytes = file && (await checkpoints.baseline(file));
  return bytes && Buffer.from(bytes).toString();
}

async function edited() {
  const made = lab({ 'a.txt': OLD });
  await made.turn(edit('a.txt', NEW));
  return made;
}

describe('undo of one changed block', () => {
  test('takes that block back and no other byte; redo brings exactly it back', async () => {
    const made = await edited();
    const { outcome } = await made.checkpoints.undoHunk(REVIEW, now(4));
    expect(outcome).toEqual({ status: 'done', turns: [1], files: ['a.txt'], notes: [] });
    expect(made.tree()).toEqual({ 'a.txt': 'one\n2\n3\n4\n5\n6\n7\n8\n' });
    expect(await waiting(made)).toEqual(['a.txt modify 1 +2 -1']);
    expect((await made.redo()).outcome.status).toBe('done');
    expect(made.tree()).toEqual({ 'a.txt': NEW });
    expect(await waiting(made)).toEqual(['a.txt modify 1 +3 -2']);
  });

  test('is found by a line of what it was, and a cut by the line beside it', async () => {
    const made = lab({ 'a.txt': OLD });
    await made.turn(edit('a.txt', '1\n2\n5\n6\n7\n'));
    expect((await made.checkpoints.undoHunk(REVIEW, now(5))).outcome).toEqual({
      status: 'nothing',
      why: 'There is no change at line 5 of a.txt.',
    });
    await made.checkpoints.undoHunk(REVIEW, { path: 'a.txt', line: 4, side: 'before' });
    expect(made.tree()).toEqual({ 'a.txt': OLD });
    await made.redo();
    await made.checkpoints.undoHunk(REVIEW, now(2));
    expect(made.tree()).toEqual({ 'a.txt': OLD });
  });

  test('composes with undo of the turn, which meets no conflict, and with its redo', async () => {
    const made = await edited();
    await made.checkpoints.undoHunk(REVIEW, now(1));
    expect((await made.undo(1)).outcome.status).toBe('done');
    expect(made.tree()).toEqual({ 'a.txt': OLD });
    await made.redo();
    expect(made.tree()).toEqual({ 'a.txt': '1\n2\n3\nfour\n5\n6\n7\n8\n' });
    await made.redo();
    expect(made.tree()).toEqual({ 'a.txt': NEW });
    expect((await made.redo()).outcome.status).toBe('nothing');
  });

  test('composes with undo of a turn alone, and with turns before and after it', async () => {
    const made = lab({ 'a.txt': OLD });
    await made.turn(edit('a.txt', OLD.replace('2', 'two')));
    await made.turn(edit('a.txt', OLD.replace('2', 'two').replace('6', 'six')));
    await made.checkpoints.undoHunk(REVIEW, now(2));
    expect(made.tree()).toEqual({ 'a.txt': OLD.replace('6', 'six') });
    expect((await made.undo(2, { only: true })).outcome.status).toBe('done');
    expect(made.tree()).toEqual({ 'a.txt': OLD.replace('2', 'two') });
    await made.redo();
    await made.turn(edit('a.txt', OLD.replace('6', 'six').replace('4', 'four')));
    expect((await made.undo(1)).outcome.status).toBe('done');
    expect(made.tree()).toEqual({ 'a.txt': OLD });
  });

  test('the last block of a file is the file: the turn counts as taken back', async () => {
    const made = await edited();
    for (const line of [1, 4, 8]) await made.checkpoints.undoHunk(REVIEW, now(line));
    expect(made.tree()).toEqual({ 'a.txt': OLD });
    expect(made.checkpoints.list(SESSION).map(({ state }) => state)).toEqual(['undone']);
    expect(await waiting(made)).toEqual([]);
    for (let times = 0; times < 3; times++) await made.redo();
    expect(made.tree()).toEqual({ 'a.txt': NEW });
  });

  test('of a new file takes the file away; once edited by hand it doesn’t', async () => {
    const made = lab({});
    await made.turn(create('n.txt', 'x\ny\n'), create('m.txt', 'x\n'));
    await made.checkpoints.undoHunk(REVIEW, now(1, 'n.txt'));
    made.folder.write({ 'm.txt': 'x\nby hand\n' });
    expect((await made.checkpoints.undoHunk(REVIEW, now(1, 'm.txt'))).outcome).toEqual({
      status: 'nothing',
      why: 'm.txt is new and was edited since. Undo the whole file instead.',
    });
    expect(made.tree()).toEqual({ 'm.txt': 'x\nby hand\n' });
  });

  test('leaves hand edits elsewhere in the file, which undo of the turn then finds', async () => {
    const made = await edited();
    made.folder.write({ 'a.txt': NEW.replace('6', 'six by hand') });
    await made.checkpoints.undoHunk(REVIEW, now(1));
    expect(made.tree()).toEqual({ 'a.txt': '1\n2\n3\nfour\n5\nsix by hand\n7\n8\n' });
    expect((await made.undo(1)).outcome).toMatchObject({
      status: 'conflict',
      conflicts: [{ path: 'a.txt', why: "edited by hand between Belay's changes" }],
    });
  });

  test('keeps line ends, marks, other encodings and permission bits to the byte', async () => {
    const bytes = (text: string, encoding: BufferEncoding = 'latin1') => Buffer.from(text, encoding);
    const made = lab({
      'crlf.txt': bytes('1\r\n2\n3\r4'),
      'latin.txt': bytes('\xe4\n2\n\xff\n'),
      'wide.txt': bytes('\ufeff1\n2\n\u0a0a\n', 'utf16le'),
      'run.sh': '1\n2\n3\n',
    });
    made.folder.chmod('run.sh', 0o755);
    await made.turn(
      edit('crlf.txt', bytes('one\r\n2\n3\rfour')),
      edit('latin.txt', bytes('\xe5\n2\n\xfe\n')),
      edit('wide.txt', bytes('\ufeffone\n2\n\u0a0b\n', 'utf16le')),
      edit('run.sh', 'one\n2\nthree\n'),
    );
    for (const path of ['crlf.txt', 'latin.txt', 'wide.txt', 'run.sh'])
      await made.checkpoints.undoHunk(REVIEW, now(1, path));
    expect(made.tree()).toEqual({
      'crlf.txt': '1\r\n2\n3\rfour',
      'latin.txt': '\xe4\n2\n\xfe\n',
      'wide.txt': bytes('\ufeff1\n2\n\u0a0b\n', 'utf16le').toString('latin1'),
      'run.sh': '755 1\n2\nthree\n',
    });
  });

  test('is refused for unsaved, binary and changed files, in words', async () => {
    const dirty = new Set<string>();
    const documents = {
      dirtyText: (path: string) => (dirty.has(path) ? 'x' : undefined),
      dirtyPaths: () => [],
    };
    const made = lab({ 'a.txt': OLD, 'b.bin': 'a\0\nb\n' }, { documents });
    await made.turn(edit('a.txt', NEW), edit('b.bin', 'A\0\nb\n'));
    const why = async (place: HunkPlace) => {
      const { outcome } = await made.checkpoints.undoHunk(REVIEW, place);
      return outcome.status === 'nothing' ? outcome.why : outcome;
    };
    const stale = { ...now(1), seen: '0'.repeat(64) as never };
    expect(await why(stale)).toBe('a.txt has just changed. Look at it again.');
    expect(await why(now(1, 'b.bin'))).toBe(
      'b.bin can’t be compared line by line; keep or undo the whole file.',
    );
    expect(await why(now(1, 'other.txt'))).toBe('other.txt has no changes to review.');
    dirty.add(made.folder.at('a.txt'));
    expect(await why(now(1))).toBe('a.txt has unsaved changes: save or revert them first.');
    expect(made.tree()).toEqual({ 'a.txt': NEW, 'b.bin': 'A\0\nb\n' });
  });
});

describe('keeping', () => {
  test('a kept block moves into what the rest is compared with; no file changes', async () => {
    const made = await edited();
    expect(await made.checkpoints.keepHunk(REVIEW, now(4))).toEqual({
      ok: true,
      value: { path: 'a.txt', line: 4, lines: 1 },
    });
    expect(await baseline(made)).toBe('1\n2\n3\nfour\n5\n6\n7\n');
    expect(await waiting(made)).toEqual(['a.txt modify 1 +2 -1']);
    expect(made.tree()).toEqual({ 'a.txt': NEW });
  });

  test('with its last block kept a file waits no more', async () => {
    const made = await edited();
    for (const line of [8, 4, 1]) await made.checkpoints.keepHunk(REVIEW, now(line));
    expect(await waiting(made)).toEqual([]);
    await made.turn(edit('a.txt', NEW.replace('5', 'five')));
    expect(await waiting(made)).toEqual(['a.txt modify 2 +1 -1']);
    expect(await baseline(made)).toBe(NEW);
  });

  test('undo of what waits leaves kept blocks and kept files as they are', async () => {
    const made = lab({ 'a.txt': OLD, 'b.txt': 'b\n', 'c.txt': 'c\n' });
    await made.turn(edit('a.txt', NEW), edit('b.txt', 'B\n'), edit('c.txt', 'C\n'));
    await made.checkpoints.keepHunk(REVIEW, now(1));
    made.store.reviewMarks.put(SESSION, { path: 'b.txt', turn: 1 });
    const { outcome } = await made.undo(1, { reviewedSince: 0 });
    expect(outcome).toEqual({ status: 'done', turns: [1], files: ['a.txt', 'c.txt'], notes: [] });
    expect(made.tree()).toEqual({ 'a.txt': OLD.replace('1', 'one'), 'b.txt': 'B\n', 'c.txt': 'c\n' });
    expect(await waiting(made)).toEqual([]);
    await made.redo();
    expect(made.tree()).toEqual({ 'a.txt': NEW, 'b.txt': 'B\n', 'c.txt': 'C\n' });
    expect(await waiting(made)).toEqual(['a.txt modify 1 +2 -1', 'c.txt modify 1 +1 -1']);
  });

  test('undo of the turn itself takes kept blocks back too', async () => {
    const made = await edited();
    await made.checkpoints.keepHunk(REVIEW, now(1));
    await made.undo(1);
    expect(made.tree()).toEqual({ 'a.txt': OLD });
    await made.turn(edit('a.txt', OLD.replace('3', 'three')));
    expect(await waiting(made)).toEqual(['a.txt modify 2 +1 -1']);
    expect(await baseline(made)).toBe(OLD);
  });

  test('a block is undone against what was kept', async () => {
    const made = await edited();
    await made.checkpoints.keepHunk(REVIEW, now(1));
    for (const line of [4, 8]) await made.checkpoints.undoHunk(REVIEW, now(line));
    expect(made.tree()).toEqual({ 'a.txt': OLD.replace('1', 'one') });
    expect(await waiting(made)).toEqual([]);
    await made.undo(1);
    expect(made.tree()).toEqual({ 'a.txt': OLD });
  });
});

describe('what waits', () => {
  test('is told over turns: made, changed, deleted, renamed; what cancels out doesn’t wait', async () => {
    const made = lab({ 'a.txt': OLD, 'b.txt': 'b\n', 'c.txt': 'c\n', 'd.txt': 'd\n' });
    await made.turn(edit('a.txt', NEW), remove('b.txt'), create('n.txt', '1\n'), edit('d.txt', 'D\n'));
    await made.turn(rename('c.txt', 'C.txt'), edit('n.txt', '1\n2\n'), edit('d.txt', 'd\n'));
    expect(await waiting(made)).toEqual([
      'a.txt modify 1 +3 -2',
      'b.txt delete 1 +0 -1',
      'n.txt create 1,2 +2 -0',
      'C.txt rename 2 +0 -0',
    ]);
    expect(await waiting(made, 1)).toEqual([
      'C.txt rename 2 +0 -0',
      'n.txt modify 2 +1 -0',
      'd.txt modify 2 +1 -1',
    ]);
  });

  test('CK-06: one session’s undo leaves another’s changes alone, in the same file too', async () => {
    const made = lab({ 'a.txt': OLD, 'b.txt': 'b\n' });
    const other = 'session-2' as SessionId;
    await made.turn(edit('a.txt', NEW));
    await made.turnIn(other, edit('b.txt', 'B\n'));
    await made.checkpoints.undo({ sessionId: other, turn: 1, scope: 'files' });
    expect(made.tree()).toEqual({ 'a.txt': NEW, 'b.txt': 'b\n' });
    await made.turnIn(other, edit('a.txt', NEW.replace('5', 'five')));
    await made.checkpoints.undo({ sessionId: other, turn: 2, scope: 'files' });
    expect(made.tree()).toEqual({ 'a.txt': NEW, 'b.txt': 'b\n' });
    expect(made.checkpoints.reviewed({ sessionId: other, since: 0 })).toEqual([]);
  });
});
