import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parseScenario } from '#protocol/scenario';
import { call, coreLab } from '#test/support/core-lab';
import { buildOnce, runScenario } from './support/run-scenario';

beforeAll(buildOnce);

function filesIn(folder: string, under = ''): Record<string, string> {
  return Object.assign(
    {},
    ...readdirSync(join(folder, under)).map((name) => {
      const path = join(under, name);
      if (statSync(join(folder, path)).isDirectory()) return filesIn(folder, path);
      return { [path]: readFileSync(join(folder, path)).toString('base64') };
    }),
  );
}

test('an exported session, played by the runner in an empty folder, comes to the same results and files', async () => {
  const lab = await coreLab({
    settings: { mode: 'prompt' },
    answers: ['allow-once', 'deny-once', 'allow-session', 'allow-once', 'allow-once', 'allow-once'],
    workspace: {
      'src/a.txt': 'one\ntwo\n',
      'only-read.txt': 'just read\n',
      'data.bin': new Uint8Array([0, 255, 1, 254]),
    },
  });
  const { session, folder, app } = lab;
  await lab.turn(
    'change it',
    {
      text: 'Reading.',
      reasoning: 'first look',
      calls: [
        call('r1', 'read_file', { path: 'src/a.txt' }),
        call('r2', 'read_file', { path: 'only-read.txt' }),
      ],
    },
    { calls: [call('w1', 'write_file', { path: 'new.txt', content: `made in ${folder.path}\n` })] },
    {
      calls: [
        call('w2', 'write_file', { path: 'refused.txt', content: 'no' }),
        { id: 'x', name: 'edit_file', rawInput: '{broken' },
      ],
    },
    { text: 'done' },
  );
  folder.write({ 'src/a.txt': 'one\ntwo\nby hand\n' });
  await lab.turn(
    'now the rest',
    { calls: [call('r3', 'read_file', { path: 'src/a.txt' })] },
    { calls: [call('w3', 'write_file', { path: 'src/a.txt', content: 'all new\n', overwrite: true })] },
    { calls: [call('d1', 'delete_file', { path: 'data.bin' })] },
    { text: 'done' },
  );
  await session.undo(2, 'files', { only: true });
  await session.redo();

  const exported = await app.history.exportScenario(session.id);
  if (!exported.ok) throw new Error(exported.error);
  const { scenario, notes } = exported.value;
  expect([notes, parseScenario(scenario).ok]).toEqual([[], true]);
  const report = await runScenario(scenario);

  const results = session
    .messages()
    .flatMap((message) =>
      message.kind === 'result'
        ? [
            [
              message.toolName,
              message.result.status,
              message.result.code,
              message.result.content.replaceAll(folder.path, ''),
            ],
          ]
        : [],
    );
  const replayed = report.steps.flatMap((step) =>
    (step.results ?? []).map(({ name, status, code, content }) => [
      name,
      status,
      code,
      content.replace(/\/\S*workspace/g, ''),
    ]),
  );
  expect(replayed).toEqual(results);
  const files = Object.fromEntries(
    Object.entries(report.files).map(([path, file]) => {
      if ('text' in file) return [path, Buffer.from(file.text).toString('base64')];
      return [path, 'base64' in file ? file.base64 : 'no file'];
    }),
  );
  const own = filesIn(folder.path);
  // What names the folder names another folder there.
  const { 'new.txt': here, ...others } = own;
  const { 'new.txt': there, ...otherFiles } = files;
  expect(otherFiles).toEqual(others);
  const text = (bytes: string | undefined) => Buffer.from(bytes ?? '', 'base64').toString();
  expect([text(here), text(there)]).toEqual([
    expect.stringMatching(/^made in \//),
    expect.stringMatching(/^made in \//),
  ]);
});
