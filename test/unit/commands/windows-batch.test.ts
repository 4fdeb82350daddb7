import { expect, test } from 'vitest';
import { findExecutable } from '#commands/find-executable';
import { spawnable } from '#commands/windows-batch';

const windows = { platform: 'win32', comSpec: 'C:\\Windows\\System32\\cmd.exe' } as const;
const npx = 'C:\\Program Files\\nodejs\\npx.cmd';

test('MC-02 a .cmd file is started by cmd.exe, each argument in quotes that nothing in it can leave', () => {
  const made = spawnable(
    npx,
    ['-y', 'a b', 'x&calc', 'say "hi"&calc', '%PATH%', 'back\\', '^!|<>', ''],
    windows,
  );
  expect(made).toEqual({
    ok: true,
    value: {
      file: 'C:\\Windows\\System32\\cmd.exe',
      args: [
        '/d',
        '/e:on',
        '/v:off',
        '/s',
        '/c',
        '""C:\\Program Files\\nodejs\\npx.cmd" "-y" "a b" "x&calc" "say ""hi""&calc" "%%cd:~,%PATH%%cd:~,%" "back\\\\" "^!|<>" """',
      ],
      verbatim: true,
    },
  });
});

test('MC-02 what cmd.exe can’t be told is refused', () => {
  expect(spawnable(npx, ['a\r\ncalc'], windows)).toMatchObject({ ok: false });
  expect(spawnable('C:\\100%\\npx.cmd', [], windows)).toMatchObject({ ok: false });
});

test('a program that is no batch file gets its arguments as they are, on every machine', () => {
  const plain = { ok: true, value: { file: 'C:\\node.exe', args: ['a & b'], verbatim: false } };
  expect(spawnable('C:\\node.exe', ['a & b'], windows)).toEqual(plain);
  expect(spawnable('/bin/x.cmd', ['a\n'], { platform: 'linux' })).toMatchObject({
    ok: true,
    value: { verbatim: false },
  });
});

test('MC-02 on Windows too the message names the PATH that was searched', () => {
  const place = { path: '', cwd: '/', platform: 'win32', pathExt: '.EXE;.CMD' } as const;
  expect(findExecutable('npx', { ...place, path: 'C:\\node;node' })).toEqual({
    ok: false,
    error: expect.stringContaining('PATH=C:\\node;node'),
  });
});
