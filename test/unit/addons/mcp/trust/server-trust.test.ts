import { expect, test } from 'vitest';
import { ConfigFinder } from '#addons/mcp/config/find';
import type { FoundServer } from '#addons/mcp/config/server';
import { answerServer, serverQuestion, serverVerdict, type TrustPorts } from '#addons/mcp/trust/server-trust';
import type { AbsolutePath } from '#protocol/ids';
import type { McpQuestion } from '#protocol/mcp';
import { memoryHost } from '#test/support/memory-host';
import { type TempFolder, tempFolder } from '#test/support/temp-folder';
import { memoryStore } from '#test/unit/store/lab';

interface Lab {
  readonly folder: TempFolder;
  readonly ports: TrustPorts;
  /** Writes the entry, looks again, and gives the server as it is then. */
  write(entry: unknown, more?: unknown): Promise<FoundServer>;
}

function lab({ acceptances = memoryStore().acceptances } = {}): Lab {
  const folder = tempFolder();
  const host = memoryHost();
  const finder = new ConfigFinder(host, folder.path);
  let now = 0;
  return {
    folder,
    ports: { acceptances, folder: folder.path, home: '/home/u' as AbsolutePath, now: () => ++now },
    async write(entry, more) {
      folder.write({ '.vscode/mcp.json': JSON.stringify({ servers: { s: entry }, ...Object(more) }) });
      const [found] = (await finder.find()).servers;
      if (!found) throw new Error('no server was read');
      return found;
    },
  };
}

function asked(found: FoundServer, ports: TrustPorts): McpQuestion {
  const question = serverQuestion(found, ports);
  if (!question) throw new Error('nothing is asked');
  return question;
}

test('CVE-2025-54136 GHSA-24mc-g4xr-4395 CVE-2026-30615 a word holds for exactly one content; what changed is asked again beside what was accepted', async () => {
  const { ports, write } = lab();
  const first = await write({ command: 'node', args: ['/opt/good.js'], env: { A: '1' } });
  const question = asked(first, ports);
  const before = serverVerdict(first, ports);
  expect(answerServer(first, { question, accepted: true }, ports)).toBe(true);
  const evil = await write({ command: 'node', args: ['/opt/evil.js'], env: { A: '1' } });
  const back = await write({
    command: 'node',
    args: ['/opt/good.js'],
    env: { A: '1' },
    disabled: false,
    timeout: 1,
  });
  expect([
    before,
    serverVerdict(first, ports),
    serverVerdict(evil, ports),
    serverVerdict(back, ports),
  ]).toEqual(['unasked', 'accepted', 'unasked', 'accepted']);
  const { before: old, after } = asked(evil, ports);
  expect(old?.split('\n').filter((line) => !after.includes(line))).toEqual(['    "/opt/good.js"']);
  expect([question.before, question.after.split('\n')]).toEqual([
    undefined,
    [
      '{',
      '  "type": "stdio",',
      '  "command": "node",',
      '  "args": [',
      '    "/opt/good.js"',
      '  ],',
      '  "env": {',
      '    "A": "1"',
      '  },',
      '  "inputs": []',
      '}',
    ],
  ]);
});

const STDIO = { command: 'a', args: ['b'], env: { C: 'd' }, cwd: 'e' };
const HTTP = { type: 'http', url: 'https://a', headers: { B: 'c' }, oauth: { clientId: 'd', scopes: 'e' } };
test.each<[string, unknown, unknown]>([
  ['command', STDIO, { ...STDIO, command: 'x' }],
  ['arguments', STDIO, { ...STDIO, args: ['b', ''] }],
  ['splitting of the arguments', { ...STDIO, args: ['a b'] }, { ...STDIO, args: ['a', 'b'] }],
  ['value of the environment', STDIO, { ...STDIO, env: { C: 'x' } }],
  ['name of the environment', STDIO, { ...STDIO, env: { c: 'd' } }],
  ['variable taken out', STDIO, { ...STDIO, env: { C: null } }],
  ['folder', STDIO, { ...STDIO, cwd: 'x' }],
  ['file of variables', STDIO, { ...STDIO, envFile: '.env' }],
  ['URL', HTTP, { ...HTTP, url: 'https://b' }],
  ['transport', HTTP, { ...HTTP, type: 'sse' }],
  ['headers', HTTP, { ...HTTP, headers: { B: 'x' } }],
  ['client of the sign-in', HTTP, { ...HTTP, oauth: { clientId: 'x', scopes: 'e' } }],
  ['scopes of the sign-in', HTTP, { ...HTTP, oauth: { clientId: 'd', scopes: 'x' } }],
])('another %s is another server', async (_what, one, other) => {
  const { ports, write } = lab();
  const first = await write(one);
  answerServer(first, { question: asked(first, ports), accepted: true }, ports);
  expect([serverVerdict(first, ports), serverVerdict(await write(other), ports)]).toEqual([
    'accepted',
    'unasked',
  ]);
});

test('another content of the file of variables, or another description of an input, is another server', async () => {
  const { ports, write, folder } = lab();
  const entry = { command: 'a', envFile: 'a.env', args: ['${input:i}'] };
  const inputs = [{ type: 'promptString', id: 'i', description: 'Colour' }];
  folder.write({ 'a.env': 'A=secret-value\nNODE_OPTIONS=--require=x\n' });
  const first = await write(entry, { inputs });
  const question = asked(first, ports);
  answerServer(first, { question, accepted: true }, ports);
  const described = await write(entry, { inputs: [{ ...inputs[0], description: 'Password' }] });
  folder.write({ 'a.env': 'A=other\n' });
  const filled = await write(entry, { inputs });
  expect([
    serverVerdict(first, ports),
    serverVerdict(described, ports),
    serverVerdict(filled, ports),
  ]).toEqual(['accepted', 'unasked', 'unasked']);
  expect(question.after).toContain('"NODE_OPTIONS"');
  expect(question.after).not.toContain('secret-value');
});

test('a rejected server stays rejected, and the person may change their mind', async () => {
  const { ports, write } = lab();
  const found = await write(STDIO);
  answerServer(found, { question: asked(found, ports), accepted: false }, ports);
  const rejected = serverVerdict(found, ports);
  answerServer(found, { question: asked(found, ports), accepted: true }, ports);
  expect([rejected, serverVerdict(found, ports)]).toEqual(['rejected', 'accepted']);
});

test('CVE-2026-40068 a word given in one folder says nothing about another, nor of two windows the earlier one', async () => {
  const { acceptances } = memoryStore();
  const [one, two] = [lab({ acceptances }), lab({ acceptances })];
  const [here, there] = [await one.write(STDIO), await two.write(STDIO)];
  const question = asked(here, one.ports);
  const otherWindow = { ...one.ports };
  answerServer(here, { question, accepted: true }, one.ports);
  const first = [serverVerdict(here, otherWindow), serverVerdict(there, two.ports)];
  answerServer(here, { question, accepted: false }, otherWindow);
  expect([first, serverVerdict(here, one.ports)]).toEqual([['accepted', 'unasked'], 'rejected']);
});

test('an answer to a question that has changed meanwhile is refused', async () => {
  const { ports, write } = lab();
  const question = asked(await write(STDIO), ports);
  const now = await write({ ...STDIO, command: 'x' });
  expect([answerServer(now, { question, accepted: true }, ports), serverVerdict(now, ports)]).toEqual([
    false,
    'unasked',
  ]);
});

test('the person’s own servers are accepted as they are', async () => {
  const { ports, write } = lab();
  const found = await write(STDIO);
  const own: FoundServer = { ...found, config: { ...found.config, place: { kind: 'user' } } };
  expect([serverVerdict(own, ports), serverQuestion(own, ports)]).toEqual(['accepted', undefined]);
});

test('what can’t be seen is shown as an escape, and what only looks like one is told apart', async () => {
  const { ports, write } = lab();
  const found = await write({
    command: 'node',
    args: [
      'a\u202egpj.exe',
      'tag\u{e0041}\u{e007f}',
      'zero\u200bwidth',
      'line\nend',
      '\\u{200b}',
      '\u001b[2K',
      'nb\u00a0sp',
    ],
  });
  expect(asked(found, ports).after).toContain(
    [
      '  "args": [',
      '    "a\\u{202e}gpj.exe",',
      '    "tag\\u{e0041}\\u{e007f}",',
      '    "zero\\u{200b}width",',
      '    {',
      '      "lines": [',
      '        "line",',
      '        "end"',
      '      ]',
      '    },',
      '    "\\\\u{200b}",',
      '    "\\u001b[2K",',
      '    "nb\\u{a0}sp"',
      '  ],',
    ].join('\n'),
  );
});

test('CVE-2026-12957 what makes programs load code, and which secrets are handed on, stands first', async () => {
  const { ports, write } = lab();
  const stdio = await write({
    command: 'node',
    args: ['--token', '${env:GITHUB_TOKEN}', '${HOME}'],
    env: {
      LD_PRELOAD: './x.so',
      NODE_OPTIONS: '-r ./x',
      BASH_ENV: 'x',
      KEY: '${ANTHROPIC_API_KEY:-none}',
      PLAIN: '1',
      PATH: null,
    },
  });
  const http = await write({ url: 'http://example.com/?k=${OPENAI_API_KEY}' });
  const local = await write({ url: 'http://127.0.0.1:1/mcp' });
  const notes = (found: FoundServer) =>
    (JSON.parse(asked(found, ports).after) as Record<string, unknown>)['look at this first'];
  expect([notes(stdio), notes(http), notes(local)]).toEqual([
    [
      'It sets BASH_ENV, which can make programs load or run something else.',
      'It sets LD_PRELOAD, which can make programs load or run something else.',
      'It sets NODE_OPTIONS, which can make programs load or run something else.',
      'It is given the value of ANTHROPIC_API_KEY of your environment, a key of a model provider.',
      'It is given the value of GITHUB_TOKEN of your environment, which is likely a secret.',
    ],
    [
      'It is given the value of OPENAI_API_KEY of your environment, a key of a model provider.',
      'Its address begins with http://: others on the way can read and change what is sent.',
    ],
    undefined,
  ]);
});

test('what runs a file of the folder is warned of: its content is nobody’s word', async () => {
  const { ports, write } = lab();
  const noted = async (command: string, args: readonly string[] = []) => {
    const { after } = asked(await write({ command, args }), ports);
    return [...after.matchAll(/It runs (.*) of this folder/g)].map(([, name]) => name);
  };
  expect([
    await noted('./bin/server', ['--x']),
    await noted(`$${'{workspaceFolder}'}/tools/run`),
    await noted('node', ['--import', 'tsx', 'scripts/server.ts', '.']),
    await noted('npx', ['-y', '@modelcontextprotocol/server-filesystem', '.']),
    await noted('/usr/bin/python3', ['/opt/server.py', '~/x.py']),
  ]).toEqual([['./bin/server'], [`$${'{workspaceFolder}'}/tools/run`], ['scripts/server.ts'], [], []]);
});
