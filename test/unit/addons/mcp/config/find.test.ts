import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ConfigFinder, type FoundConfigs } from '#addons/mcp/config/find';
import type { Files } from '#host';
import type { Settings } from '#protocol/settings';
import { type MemoryHost, memoryHost } from '#test/support/memory-host';
import { type TempFolder, tempFolder } from '#test/support/temp-folder';

interface Lab {
  readonly folder: TempFolder;
  readonly host: MemoryHost;
  readonly finder: ConfigFinder;
  /** Every path that was opened. */
  readonly opened: string[];
  find(): Promise<FoundConfigs>;
}

function lab(
  files: Readonly<Record<string, string | Uint8Array>>,
  { settings = {}, trusted = true }: { settings?: Partial<Settings>; trusted?: boolean } = {},
): Lab {
  const folder = tempFolder(files);
  const opened: string[] = [];
  const host = memoryHost({ settings, trusted, variables: { HOME: folder.path, WHERE: 'elsewhere' } });
  const watched: Pick<Files, 'read' | 'realPath' | 'list'> = {
    list: (path) => host.files.list(path),
    realPath: (path) => {
      opened.push(path);
      return host.files.realPath(path);
    },
    read: (path, options) => {
      opened.push(path);
      return host.files.read(path, options);
    },
  };
  const finder = new ConfigFinder({ ...host, files: watched }, folder.path);
  return { folder, host, finder, opened, find: () => finder.find() };
}

const summary = ({ servers, problems }: FoundConfigs) => ({
  servers: servers.map(({ config }) => config.name),
  problems: problems.map(({ file, line, message }) => `${file}:${line} ${message}`),
});

test('both files of a project and the setting of the person are read, each in its own shape', async () => {
  const { find } = lab(
    {
      '.mcp.json': `{
        // what Claude Code reads
        "mcpServers": {
          "files": { "command": "npx", "args": ["-y", "server-files", 8080], "env": {"PORT": 1, "GONE": null}, "alwaysLoad": false },
          "web": { "url": "https://example.com/mcp", "headers": {"Authorization": "Bearer \${TOKEN}"}, "timeout": 5000 },
        }
      }`,
      '.vscode/mcp.json': JSON.stringify({
        servers: {
          local: { type: 'stdio', command: 'node', cwd: '${workspaceFolder}', dev: { watch: '**' } },
          old: { type: 'sse', url: 'http://127.0.0.1:1/sse', disabled: true },
          new: { type: 'streamable-http', url: 'http://127.0.0.1:1/${input:tok}' },
        },
        inputs: [
          { type: 'promptString', id: 'tok', description: 'Token', password: true },
          { type: 'pickString', id: 'other', options: ['a', { label: 'B', value: 'b' }] },
        ],
      }),
    },
    { settings: { mcpServers: { mine: { command: 'mine', oauth: {} } } } },
  );
  const found = await find();
  const common = { timeoutMs: 60_000, disabled: false, inputs: [] };
  const project = (file: string, line: number) => ({ kind: 'project', file, line });
  expect(found).toEqual({
    problems: [],
    servers: [
      {
        name: 'mine',
        place: { kind: 'user' },
        transport: { kind: 'stdio', command: 'mine', args: [], env: {} },
        ...common,
      },
      {
        name: 'local',
        place: project('.vscode/mcp.json', 1),
        transport: { kind: 'stdio', command: 'node', args: [], env: {}, cwd: '${workspaceFolder}' },
        ...common,
      },
      {
        name: 'old',
        place: project('.vscode/mcp.json', 1),
        transport: { kind: 'http', url: 'http://127.0.0.1:1/sse', sse: true, headers: {} },
        ...common,
        disabled: true,
      },
      {
        name: 'new',
        place: project('.vscode/mcp.json', 1),
        transport: { kind: 'http', url: 'http://127.0.0.1:1/${input:tok}', sse: false, headers: {} },
        ...common,
        inputs: [{ id: 'tok', description: 'Token', secret: true }],
      },
      {
        name: 'files',
        place: project('.mcp.json', 4),
        transport: {
          kind: 'stdio',
          command: 'npx',
          args: ['-y', 'server-files', '8080'],
          env: { PORT: '1', GONE: null },
        },
        ...common,
      },
      {
        name: 'web',
        place: project('.mcp.json', 5),
        transport: {
          kind: 'http',
          url: 'https://example.com/mcp',
          sse: false,
          headers: { Authorization: 'Bearer ${TOKEN}' },
        },
        ...common,
        timeoutMs: 5000,
      },
    ].map((config) => ({ config, envFile: undefined })),
  });
});

test('a broken entry costs itself alone, and its line is told', async () => {
  const { find } = lab({
    '.mcp.json': `{
      "mcpServers": {
        "good": {"command": "a"},
        "typed": {"command": "a",
          "args": ["x", {"y": 1}]},
        "empty": {},
        "no-url": {"type": "http"},
        "odd": {"type": "carrier-pigeon", "command": "a"},
        "": {"command": "a"},
        "go\u202eod": {"command": "a"},
        "env": {"command": "a", "env": {"A=B": "c"}},
        "header": {"url": "https://a", "headers": {"a b": "c"}},
        "text": "npx",
        "slow": {"command": "a", "timeout": "1 minute"},
        "__proto__": {"command": "p"},
        "last": {"command": "b"}
      }
    }`,
  });
  const { servers, problems } = summary(await find());
  expect(servers).toEqual(['good', 'slow', '__proto__', 'last']);
  expect(problems.map((line) => line.replace(/"go.*od"/, '"go…od"'))).toEqual([
    '.mcp.json:5 the server "typed" is left out: args.1: a text is expected here',
    '.mcp.json:6 the server "empty" is left out: it has neither a command nor a url',
    '.mcp.json:7 the server "no-url" is left out: it has no url',
    '.mcp.json:8 the server "odd" is left out: its type "carrier-pigeon" is none of stdio, http and sse',
    '.mcp.json:9 the server "" is left out: it has no name',
    '.mcp.json:10 the server "go…od" is left out: invisible characters stand in its name',
    '.mcp.json:11 the server "env" is left out: "A=B" is no name of an environment variable',
    '.mcp.json:12 the server "header" is left out: "a b" is no name of a header',
    '.mcp.json:13 the server "text" is left out: Invalid input: expected object, received string',
    '.mcp.json:14 the timeout of the server "slow" is not a number of milliseconds from 1 to 3600000; 60000 counts',
  ]);
});

test('what can be read of a broken file counts, and the other places count whole', async () => {
  const { find } = lab(
    {
      '.mcp.json': '{"mcpServers": {"a": {"command": "x"},\n "b": {"command": }, "c": {"command": "y"}}}',
      '.vscode/mcp.json': new Uint8Array([0x7b, 0xff, 0x7d]),
    },
    { settings: { mcpServers: { mine: { command: 'm' }, worse: 7 } } },
  );
  expect(summary(await find())).toEqual({
    servers: ['mine', 'a', 'c'],
    problems: [
      'belay.mcp.servers:0 the server "worse" is left out: Invalid input: expected object, received number',
      '.vscode/mcp.json:1 it is not UTF-8 text',
      '.mcp.json:2 it is not JSON here (ValueExpected)',
      '.mcp.json:2 the server "b" is left out: it has neither a command nor a url',
    ],
  });
});

test('of one name the person’s own counts before the project’s, and the editor’s file before the other', async () => {
  const { find } = lab(
    {
      '.mcp.json':
        '{"mcpServers": {\n"one": {"command": "m"},\n"two": {"command": "m"},\n"two": {"command": "n"}}}',
      '.vscode/mcp.json': '{"servers": {"one": {"command": "v"}, "two": {"command": "v"}}}',
    },
    { settings: { mcpServers: { one: { command: 'u', disabled: true } } } },
  );
  const found = await find();
  expect(found.servers.map(({ config: { name, place, disabled } }) => [name, place.kind, disabled])).toEqual([
    ['one', 'user', true],
    ['two', 'project', false],
  ]);
  expect(summary(found).problems).toEqual([
    '.mcp.json:3 another server "two" stands further down; that one counts',
    '.vscode/mcp.json:1 the server "one" of belay.mcp.servers counts instead of this one',
    '.mcp.json:2 the server "one" of belay.mcp.servers counts instead of this one',
    '.mcp.json:4 the server "two" of .vscode/mcp.json:1 counts instead of this one',
  ]);
});

test('CVE-2025-59536 CVE-2025-68433 CVE-2025-68432 GHSA-2jjv-qf24-vfm4 in a folder that is not trusted no file of the project is opened', async () => {
  const { find, opened } = lab(
    { '.mcp.json': '{"mcpServers": {"a": {"command": "x", "envFile": ".env"}}}', '.env': 'A=b' },
    { trusted: false, settings: { mcpServers: { mine: { command: 'm' } } } },
  );
  expect(summary(await find())).toEqual({ servers: ['mine'], problems: [] });
  expect(opened).toEqual([]);
});

test('CVE-2026-12957 CVE-2026-12958 a link that leads out of the folder is not followed, neither a file’s nor a folder’s', async () => {
  const outside = tempFolder({ 'mcp.json': '{"servers": {"a": {"command": "x"}}}', env: 'SECRET=1' });
  const { find, folder } = lab({
    'inside.json': '{"mcpServers": {"b": {"command": "y", "envFile": "${workspaceFolder}/link.env"}}}',
  });
  symlinkSync(outside.path, folder.at('.vscode'));
  symlinkSync(outside.at('env'), folder.at('link.env'));
  symlinkSync('inside.json', folder.at('.mcp.json'));
  const found = await find();
  expect(summary(found)).toEqual({
    servers: ['b'],
    problems: [
      '.vscode/mcp.json:1 it is a link that leads out of the folder; it is not read',
      '.mcp.json:1 the server "b" can’t start: its envFile ${workspaceFolder}/link.env: it is a link that leads out of the folder',
    ],
  });
});

test('a pipe, a folder, a file without end and a million brackets in a file’s place end at once with a problem', async () => {
  const { find, folder } = lab({ '.mcp.json/x': '' });
  mkdirSync(folder.at('.vscode'));
  execFileSync('mkfifo', [folder.at('.vscode/mcp.json')]);
  expect((await find()).problems.map(({ file }) => file)).toEqual(['.vscode/mcp.json', '.mcp.json']);
  const large = lab({
    '.mcp.json': ' '.repeat(1024 * 1024 + 1),
    '.vscode/mcp.json': `{"servers": ${'['.repeat(500_000)}`,
  });
  expect(summary(await large.find()).problems).toEqual([
    '.vscode/mcp.json:1 it is nested too deeply',
    '.mcp.json:1 it is longer than 1048576 bytes; it is not read',
  ]);
});

test('an empty folder, which keeps the place while a command runs in the sandbox, is no file and no problem', async () => {
  const { find, folder } = lab({});
  mkdirSync(folder.at('.mcp.json'));
  expect(await find()).toEqual({ servers: [], problems: [] });
});

test('the very same value comes back while nothing changes, and a new one when a file of variables does', async () => {
  const { find, folder } = lab({
    '.mcp.json': '{"mcpServers": {"a": {"command": "x", "envFile": "a.env"}}}',
    'a.env': 'A=1\n# no\nexport B="two words"\n',
  });
  const first = await find();
  expect(await find()).toBe(first);
  expect(first.servers[0]?.envFile).toMatchObject({ kind: 'read', variables: { A: '1', B: 'two words' } });
  folder.write({ 'a.env': 'A=2' });
  const second = await find();
  expect(second).not.toBe(first);
  expect(second.servers[0]?.envFile).toMatchObject({ kind: 'read', variables: { A: '2' } });
});

test('of thousands of problems of one file each is told once, and a hundred at most', async () => {
  const same = Array.from({ length: 50 }, () => '"a": {"command": "x"}').join();
  const many = Array.from({ length: 3000 }, (_, at) => `"b${at}": {}`).join();
  const { find } = lab({ '.mcp.json': `{"mcpServers": {${same},${many}}}`, '.vscode/mcp.json': '[]' });
  const { servers, problems } = summary(await find());
  const ofFile = problems.filter((problem) => problem.startsWith('.mcp.json'));
  expect([servers, ofFile.length, new Set(problems).size === problems.length]).toEqual([['a'], 101, true]);
  expect(problems).toContain('.vscode/mcp.json:1 it is no object');
  expect(problems.at(-1)).toBe('.mcp.json:1 and 2901 more problems');
});
