import { expect, test } from 'vitest';
import { parseSlash, slashCommands } from '#agent/slash';

test('takes back the files of the last turn when nothing more is said', () => {
  expect(parseSlash('/undo')).toEqual({
    ok: true,
    value: { kind: 'undo', scope: 'files', turn: undefined },
  });
});

test.each(['files', 'session', 'all'] as const)('takes back %s of a turn', (scope) => {
  expect(parseSlash(` /undo ${scope}  12 `)).toEqual({ ok: true, value: { kind: 'undo', scope, turn: 12 } });
});

test('shows the diff of a turn, of one path with blanks in it', () => {
  expect(parseSlash('/undo diff 3 src/my file.ts')).toEqual({
    ok: true,
    value: { kind: 'diff', turn: 3, path: 'src/my file.ts' },
  });
});

test.each(['/undo 3', '/undo files', '/undo files x', '/undo files 0', '/undo files 1 2', '/undo diff'])(
  '%s is told how to be written',
  (prompt) => {
    expect(parseSlash(prompt)).toMatchObject({ ok: false, error: expect.stringContaining('/undo files N') });
  },
);

test('a fork begins before a turn, or after the last', () => {
  expect(['/fork', '/fork 3', '/fork 0', '/fork 1 2', '/fork x'].map((text) => parseSlash(text))).toEqual([
    { ok: true, value: { kind: 'fork', turn: undefined } },
    { ok: true, value: { kind: 'fork', turn: 3 } },
    ...Array.from({ length: 3 }, () => ({
      ok: false,
      error: 'Use /fork, or /fork N, where N is the number of the turn before which the fork begins.',
    })),
  ]);
});

test('a redo is of all, or of files', () => {
  expect(['/redo', '/redo files', '/redo session', '/redo files 2'].map((text) => parseSlash(text))).toEqual([
    { ok: true, value: { kind: 'redo', scope: undefined } },
    { ok: true, value: { kind: 'redo', scope: 'files' } },
    ...Array.from({ length: 2 }, () => ({ ok: false, error: 'Use /redo or /redo files.' })),
  ]);
});

test.each(['stop', 'new', 'model', 'mode', 'help'] as const)('/%s stands alone', (name) => {
  expect([parseSlash(`/${name}`), parseSlash(`/${name} now`)]).toEqual([
    { ok: true, value: { kind: name } },
    { ok: false, error: `/${name} takes no words after it.` },
  ]);
});

test.each(['fix the bug', '/etc/hosts is wrong', '/undone', '', '/', 'say /undo', '/undo\nand more'])(
  '%j is a prompt',
  (prompt) => {
    expect(parseSlash(prompt)).toBeUndefined();
  },
);

test('every listed command is understood when its letters are filled in', () => {
  const typed = slashCommands().map(({ usage }) => usage.replace(' [path]', '').replace('N', '1'));
  expect(typed.filter((text) => !parseSlash(text)?.ok)).toEqual([]);
});
