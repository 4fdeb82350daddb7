import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { watchChanges } from '#commands/watch-changes';
import { asOrdinaryUser } from '#test/support/ordinary-user';
import { tempFolder } from '#test/support/temp-folder';

const { signal } = new AbortController();

test('sees what changed, but for folders that tools fill and files that Belay is just writing', async () => {
  const folder = tempFolder({ 'src/a': '1', 'src/b': '1' });
  const look = await watchChanges(folder.path, { signal, also: [] });
  folder.write({
    'src/a': '22',
    'src/c': '1',
    'src/node_modules/m/x': '1',
    '.git/index': '1',
    'src/.belay-12-0123456789ab.tmp': '1',
    'src/.belay-notes': '1',
  });
  rmSync(folder.at('src/b'));
  const { changes, notes } = await look();
  expect([changes.map(({ path, operation }) => `${operation} ${path}`), notes]).toEqual([
    ['create src/.belay-notes', 'modify src/a', 'delete src/b', 'create src/c'],
    [],
  ]);
});

test('in a big folder it sees the same', async () => {
  const folder = tempFolder(
    Object.fromEntries(Array.from({ length: 1500 }, (_, n) => [`d${n % 15}/f${n}`, '1'])),
  );
  const look = await watchChanges(folder.path, { signal, also: [] });
  for (let n = 0; n < 15; n++) folder.write({ [`d${n}/f${n}`]: '2', [`d${n}/new`]: '1' });
  for (let n = 15; n < 30; n++) rmSync(folder.at(`d${n % 15}/f${n}`));
  const { changes } = await look();
  expect(changes.map(({ operation }) => operation).sort()).toEqual([
    ...Array(15).fill('create'),
    ...Array(15).fill('delete'),
    ...Array(15).fill('modify'),
  ]);
});

test('says which folder could not be read', async () => {
  const folder = tempFolder({ 'd/a': '1', 'e/a': '1' });
  const look = await watchChanges(folder.path, { signal, also: [] });
  folder.chmod('', 0o755);
  for (const name of ['d', 'e']) folder.chmod(name, 0);
  const seen = await asOrdinaryUser(look);
  for (const name of ['d', 'e']) folder.chmod(name, 0o755);
  expect(seen).toEqual({
    changes: [],
    notes: ['Folders that can\'t be read now were left out of that: "d" and 1 more.'],
  });
});
