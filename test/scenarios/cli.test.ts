import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from '#test/support/model-server/server';
import { buildOnce, run, runScenario, runScenarioText } from './support/run-scenario';

beforeAll(buildOnce, 120_000);

test.each([
  ['{', 'not JSON'],
  ['{"steps": [], "step": 1}', 'Unrecognized key: "step"'],
  ['{"steps": [{"fork": {"turn": 0}}]}', 'steps[0].fork.turn'],
  ['{"steps": [], "workspace": {"../x": ""}}', 'leaves its folder'],
  ['{"steps": [], "workspace": {"a": "", "a/b": ""}}', '"a/b" can\'t be written'],
])('a bad scenario ends with 2 and its reason: %s', async (text, reason) => {
  const { code, stdout, stderr } = await runScenarioText(text);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(reason)]);
});

test('a file that isn’t there, and no file, end with 2', async () => {
  const runs = [await run(['scenario', '/nowhere.json']), await run(['scenario'])];
  expect(runs.map(({ code, stdout }) => [code, stdout])).toEqual([
    [2, ''],
    [2, ''],
  ]);
});

test('a killed core is another process afterwards, and all pids are listed', async () => {
  const report = await runScenario({
    steps: [
      { prompt: 'a', model: [{ text: 'a' }] },
      { restart: 'kill' },
      { prompt: 'b', model: [{ text: 'b' }] },
    ],
  });
  expect([report.pids.length, new Set(report.pids).size, report.pids.includes(process.pid)]).toEqual([
    2,
    2,
    false,
  ]);
});

test('a call of a megabyte is reported whole', async () => {
  const path = 'x'.repeat(1_000_000);
  const report = await runScenario({
    steps: [
      { prompt: 'a', model: [{ calls: [{ id: 'c1', name: 'read_file', input: { path } }] }, { text: 'b' }] },
    ],
  });
  expect([report.steps[0]?.results[0]?.code, report.steps[0]?.text]).toEqual(['rejected_arguments', 'b']);
});

test('places are filled in, and nothing is left behind', async () => {
  const report = await runScenario({
    outside: { x: 'here' },
    workspace: { 'where.txt': '${OUTSIDE} ${WORKSPACE}' },
    steps: [],
  });
  const file = report.files['where.txt'];
  const [outside = '', workspace = ''] = file && 'text' in file ? file.text.split(' ') : [];
  expect([
    path.basename(outside),
    path.dirname(outside) === path.dirname(workspace),
    existsSync(outside),
  ]).toEqual(['outside', true, false]);
});

test('says which moments never came', async () => {
  const report = await runScenario({
    steps: [
      { prompt: 'a', model: [{ text: 'a' }], during: [{ after: 'tool.started', call: 'c9', queue: 'x' }] },
    ],
  });
  expect(report.steps[0]?.unreached).toEqual(['tool.started of c9']);
});

test('the first request of a session stays under 15 KB', async () => {
  const report = await runScenario({ steps: [{ prompt: 'a', model: [{ text: 'a' }] }] });
  expect(report.requests[0]?.tools.length).toBeLessThanOrEqual(20);
  const server = await modelServer({ script: [{ text: 'hello' }] });
  await run(agentArgs(server, 'anthropic', 'hi'), { BELAY_API_KEY: 'key-for-the-test' });
  expect(JSON.stringify(server.requests[0]?.body).length).toBeLessThanOrEqual(15 * 1024);
});

async function modelServer(options: ModelServerOptions): Promise<ModelServer> {
  const server = await startModelServer(options);
  onTestFinished(() => server.close());
  return server;
}

function workspace(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'belay-agent-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, 'a.txt'), 'one\n');
  return folder;
}

function agentArgs(
  server: ModelServer,
  api: string,
  prompt: string,
  folder = workspace(),
): readonly string[] {
  const endpoint = ['--base-url', `${server.url}/v1`, '--api', api, '--model', 'scripted-1'];
  return ['agent', '--workspace', folder, ...endpoint, '--mode', 'workspace-write', prompt];
}

const EDIT = [
  { calls: [{ id: 'c1', name: 'read_file', input: { path: 'a.txt' } }] },
  { calls: [{ id: 'c2', name: 'edit_file', input: { path: 'a.txt', oldText: 'one', newText: 'two' } }] },
  { calls: [{ id: 'c3', name: 'run_command', input: { command: 'touch made', description: 'd' } }] },
  { text: 'It is two.' },
];

test.each(['anthropic', 'openai'])('agent runs one turn against an %s endpoint', async (api) => {
  const server = await modelServer({ script: EDIT, key: 'key-for-the-test' });
  const folder = workspace();
  const ran = await run(agentArgs(server, api, 'make it two', folder), { BELAY_API_KEY: 'key-for-the-test' });
  expect([ran.code, ran.stdout, readFileSync(path.join(folder, 'a.txt'), 'utf8')]).toEqual([
    0,
    'It is two.\n',
    'two\n',
  ]);
  // Nobody could be asked about the command; the model was told and went on.
  expect(JSON.stringify(server.requests[3]?.body)).toContain('did not run');
});

test('agent with a wrong key ends with 1 and says what to do, without the key', async () => {
  const server = await modelServer({ script: EDIT, key: 'the-right-key' });
  const ran = await run(agentArgs(server, 'anthropic', 'x'), { BELAY_API_KEY: 'some-wrong-key' });
  expect([ran.code, ran.stderr.includes('refused the key'), ran.stderr.includes('some-wrong-key')]).toEqual([
    1,
    true,
    false,
  ]);
});

test.each([
  ['/nowhere', 'http://127.0.0.1:9/v1', 1, 'agent: The folder is gone. '],
  [import.meta.filename, 'http://127.0.0.1:9/v1', 1, 'agent: That is no folder. '],
  [import.meta.dirname, 'file:///v1', 2, 'belay: --base-url is no http or https URL. '],
])(
  'agent on %s at %s ends with its code and says what is wrong, in one line',
  async (folder, url, end, words) => {
    const endpoint = ['--base-url', url, '--api', 'openai', '--model', 'm'];
    const { code, stdout, stderr } = await run(['agent', '--workspace', folder, ...endpoint, 'do it']);
    expect([code, stdout, stderr.trimEnd().split('\n').length]).toEqual([end, '', 1]);
    expect(stderr).toContain(words);
  },
);

test.each(['anthropic', 'openai'])('agent at what speaks no %s API says so', async (api) => {
  const server = await modelServer({ script: [{ raw: 'data: {"x":1}\n\ndata: [DONE]\n\n' }] });
  const ran = await run(agentArgs(server, api, 'x'));
  expect([ran.code, ran.stdout]).toEqual([1, '']);
  expect(ran.stderr).toContain('answered with something that is no reply');
});

test.each(['scenario', 'gate', 'agent'])(
  '%s says how it is called, and in one line that it was called wrongly',
  async (name) => {
    const call = `npm run --silent ${name} --`;
    const helped = await run([name, '--help']);
    expect(helped).toMatchObject({ code: 0, stderr: '' });
    expect(helped.stdout).toMatch(new RegExp(`^usage: ${call} \\[OPTIONS\\] .+\n`));
    const wrong = [['--bogus', 'x'], ['a', 'b'], []].map((args) => run([name, ...args]));
    for (const { code, stdout, stderr } of await Promise.all(wrong)) {
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(new RegExp(`^belay: .+\\. How it is called: ${call} --help\n$`));
    }
  },
);
