import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, coreLab } from '#test/support/core-lab';
import { eventually } from '#test/support/eventually';

type Lab = Awaited<ReturnType<typeof coreLab>>;

function database(of: Lab): string {
  const name = readdirSync(of.storage.path, { recursive: true, encoding: 'utf8' }).find((each) =>
    each.endsWith('belay.db'),
  );
  return join(of.storage.path, name ?? 'none');
}

const deleted = (path: string) => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
};
const ways = {
  deleted,
  'without its log': (path: string) => rmSync(`${path}-wal`),
  replaced: (path: string) => {
    copyFileSync(path, `${path}.copy`);
    deleted(path);
    copyFileSync(`${path}.copy`, path);
  },
};

async function withChange(): Promise<Lab> {
  const own = await coreLab({ core: { assumeSandbox: false }, settings: { mode: 'allow' } });
  await own.turn('change it', { calls: [write('w', 'made.txt')] }, { text: 'done' });
  return own;
}
const write = (id: string, path: string) => call(id, 'write_file', { path, content: 'new\n' });
const wait = call('r', 'run_command', { command: 'sleep 0.5', description: 'd' });

test.each(Object.entries(ways))(
  'nothing is changed that no later window could undo: database %s',
  async (_, spoil) => {
    const own = await withChange();
    own.model.play([{ calls: [wait] }, { calls: [write('x', 'b.txt')] }, { text: 'done' }]);
    const sent = own.session.send('more');
    await eventually(() => expect(own.types().filter((type) => type === 'tool.started')).toHaveLength(2));
    spoil(database(own));
    await sent;
    const [, result] = own.results().slice(1);
    expect([existsSync(join(own.folder.path, 'b.txt')), result?.status, result?.content]).toEqual([
      false,
      'error',
      expect.stringContaining('deleted or replaced while it was in use, so nothing was changed'),
    ]);
  },
);

test.each(['deleted', 'replaced'] as const)(
  'a turn is not begun, and what was done can still be undone here: database %s',
  async (how) => {
    const own = await withChange();
    ways[how](database(own));
    const asked = own.requests.length;
    const end = await own.turn('more', { text: 'never' });
    const problem = own.session.events().findLast((event) => event.type === 'turn.ended');
    const undone = await own.session.undo(1, 'files');
    expect([
      end,
      own.requests.length - asked,
      problem,
      undone.status,
      existsSync(join(own.folder.path, 'made.txt')),
    ]).toEqual([
      'failed',
      0,
      expect.objectContaining({
        problem: expect.objectContaining({
          kind: 'store',
          title: 'Belay’s database was deleted or replaced',
        }),
      }),
      'done',
      false,
    ]);
  },
);
