import { expect, test } from 'vitest';
import { addressRows, readAddress } from '#editor/questions/address';

test('https is opened anywhere, http on this machine alone', () => {
  const addresses = [
    'https://example.com/a?b=c',
    'http://127.0.0.1:8080/',
    'http://localhost/x',
    'http://[::1]:1/',
    'http://x.localhost/',
    'http://example.com/',
    'http://127.example.com/',
    'http://localhost.example.com/',
    'file:///etc/passwd',
    'vscode://x.y/z',
    'command:workbench.action.quit',
    'javascript:alert(1)',
    'no address',
  ];
  expect(addresses.filter((address) => readAddress(address).ok)).toEqual(addresses.slice(0, 5));
});

test('an address with a name or a password in it is refused: its host only seems to be the first word', () => {
  expect(readAddress('https://accounts.example.com@evil.example/')).toEqual({
    ok: false,
    error: 'the address holds a name or a password',
  });
});

test('a host of other scripts is shown as the browser resolves it, and as it reads', () => {
  expect(readAddress('https://ex\u0430mple.com/')).toEqual({
    ok: true,
    value: { href: 'https://xn--exmple-4nf.com/', host: 'xn--exmple-4nf.com', reads: 'ex\u0430mple.com' },
  });
});

test('invisible characters are visible in what is opened', () => {
  const read = readAddress('https://example.com/a\u200bb?c=\u202ed');
  expect(read.ok && read.value.href).toBe('https://example.com/a%E2%80%8Bb?c=%E2%80%AEd');
});

test('the rows of an address are the whole address', () => {
  const href = `https://example.com/authorize?client_id=${'x'.repeat(300)}&scope=a+b#end`;
  const rows = addressRows(href, 76);
  expect([rows.join('') === href, rows.every((row) => row.length <= 76), rows[0], rows.at(-1)]).toEqual([
    true,
    true,
    'https://example.com/authorize',
    '#end',
  ]);
});

test('an endless address is refused', () => {
  expect(readAddress(`https://example.com/${'x'.repeat(9000)}`).ok).toBe(false);
});
