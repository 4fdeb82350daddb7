import { expect, test } from 'vitest';
import { ConfigFinder } from '#addons/mcp/config/find';
import { type ResolvedServer, resolveServer } from '#addons/mcp/config/resolve';
import type { InputConfig } from '#addons/mcp/config/server';
import type { Result } from '#base/result';
import { memoryHost } from '#test/support/memory-host';
import { tempFolder } from '#test/support/temp-folder';

interface Given {
  readonly entry: unknown;
  readonly inputs?: unknown;
  readonly files?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly answers?: Readonly<Record<string, string>>;
  readonly place?: 'user' | 'project';
  readonly platform?: NodeJS.Platform;
}

interface Resolved {
  readonly root: string;
  readonly result: Result<ResolvedServer, string>;
  readonly asked: readonly InputConfig[];
}

async function resolve(given: Given): Promise<Resolved> {
  const { entry, inputs, files = {}, answers = {}, place = 'project', platform = process.platform } = given;
  const file = JSON.stringify({ servers: { s: entry }, inputs });
  const folder = tempFolder({ ...(place === 'project' ? { '.vscode/mcp.json': file } : {}), ...files });
  const variables = { PATH: '/usr/bin', TOKEN: 'from-the-shell', EMPTY: '', ...given.variables };
  const host = memoryHost({
    variables,
    settings: place === 'user' ? { mcpServers: { s: entry } } : {},
  });
  const { servers } = await new ConfigFinder(host, folder.path).find();
  const [found] = servers;
  if (!found) throw new Error('no server was read');
  const asked: InputConfig[] = [];
  const result = await resolveServer(found, {
    environment: { ...host.environment, platform },
    root: folder.path,
    variables,
    extra: [],
    input: async (input) => {
      asked.push(input);
      return answers[input.id];
    },
  });
  return { root: folder.path, result, asked };
}

const outcome = ({ result }: Resolved) => (result.ok ? result.value : result.error);

test('each variable is replaced in command, arguments, environment and folder', async () => {
  const resolved = await resolve({
    entry: {
      command: '${userHome}/bin/x',
      args: [
        '${workspaceFolder}',
        '${workspaceFolderBasename}',
        'a${pathSeparator}b${/}',
        '$HOME ${env:TOKEN}${TOKEN}',
      ],
      env: {
        A: '${NO_SUCH:-default value}',
        B: '${env:EMPTY:-other}',
        C: '${EMPTY}',
        D: '${input:t}/${input:t}',
      },
      cwd: 'sub/folder',
    },
    inputs: [{ type: 'promptString', id: 't', description: 'A token', password: true }],
    answers: { t: 'typed-secret' },
  });
  const { root, asked, result } = resolved;
  expect(asked).toEqual([{ id: 't', description: 'A token', secret: true }]);
  expect(result.ok && result.value).toMatchObject({
    command: `${memoryHost().environment.home}/bin/x`,
    args: [root, root.split('/').at(-1), 'a/b/', '$HOME from-the-shellfrom-the-shell'],
    env: { A: 'default value', B: 'other', C: '', D: 'typed-secret/typed-secret' },
    cwd: `${root}/sub/folder`,
    secrets: ['from-the-shell', 'typed-secret'],
  });
});

test('a value that holds a variable is that text and is never looked into again', async () => {
  const resolved = await resolve({
    entry: { command: 'x', args: ['${A}', '${input:i}', '${NO:-$HOME}'] },
    inputs: [{ type: 'promptString', id: 'i' }],
    answers: { i: '${env:TOKEN}' },
    variables: { A: '${env:TOKEN}' },
  });
  expect(outcome(resolved)).toMatchObject({ args: ['${env:TOKEN}', '${env:TOKEN}', '$HOME'] });
});

test.each([
  [
    '${env:MISSING}',
    'there is no such environment variable where Belay runs; set it there, or write a value after ":-"',
  ],
  [
    '${MISSING}',
    'there is no such environment variable where Belay runs; set it there, or write a value after ":-"',
  ],
  ['${command:x}', 'there is no such variable'],
  ['${config:a.b}', 'there is no such variable'],
  ['${}', 'there is no such variable'],
  ['${env:}', 'there is no such variable'],
  ['${workspaceFolder:other}', 'there is no such variable'],
  ['${A', 'the closing } is missing'],
  ['${input:nobody}', 'no input has this id'],
  ['${input:refused}', 'no value was given'],
])('%s is a problem that names file, server and variable', async (text, why) => {
  const resolved = await resolve({
    entry: { command: 'x', args: [`a ${text}`] },
    inputs: [{ type: 'promptString', id: 'refused' }],
  });
  expect(outcome(resolved)).toBe(
    `.vscode/mcp.json:1: the server "s" can’t start: ${text} can’t be replaced: ${why}`,
  );
});

test('a variable inside a variable is not replaced', async () => {
  const resolved = await resolve({ entry: { command: 'x', env: { A: '${env:${TOKEN}}' } } });
  expect(outcome(resolved)).toBe(
    '.vscode/mcp.json:1: the server "s" can’t start: ${env:${TOKEN} can’t be replaced: a variable inside a variable is not replaced',
  );
});

test('an input of the person’s own setting is asked for by its id and is a secret', async () => {
  const resolved = await resolve({
    place: 'user',
    entry: { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer ${input:github}' } },
    answers: { github: 'ghp_0123456789' },
  });
  expect([resolved.asked, outcome(resolved)]).toEqual([
    [{ id: 'github', description: 'github', secret: true }],
    {
      kind: 'http',
      url: 'https://example.com/mcp',
      sse: false,
      headers: { Authorization: 'Bearer ghp_0123456789' },
      secrets: ['Bearer ghp_0123456789', 'ghp_0123456789'],
    },
  ]);
});

test.each([
  ['javascript:alert(1)', 'its url must begin with http:// or https://'],
  ['file:///etc/passwd', 'its url must begin with http:// or https://'],
  ['https://user:word@example.com/', 'a user’s name stands in its url; use headers instead'],
  ['no address', 'its url is no address'],
])('the url %s is refused', async (url, why) => {
  const resolved = await resolve({ entry: { type: 'http', url } });
  expect(outcome(resolved)).toBe(`.vscode/mcp.json:1: the server "s" can’t start: ${why}`);
});

test('a value with a line end makes no second header', async () => {
  const resolved = await resolve({
    entry: { url: 'https://example.com', headers: { 'X-A': '${A}' } },
    variables: { A: 'b\r\nX-Evil: 1' },
  });
  expect(outcome(resolved)).toBe(
    '.vscode/mcp.json:1: the server "s" can’t start: the header X-A holds what no header may hold',
  );
});

test('CVE-2026-12957 CVE-2025-61260 a server gets what a command gets and what its entry names, and no key or token of Belay’s environment', async () => {
  const resolved = await resolve({
    entry: {
      command: 'x',
      env: { GITHUB: '${TOKEN}', NODE_OPTIONS: '--inspect', LANG: null },
      envFile: 'a.env',
    },
    files: { 'a.env': 'FROM_FILE=1\nGITHUB=weaker\n', '.env': 'NEVER=read\n' },
    variables: {
      AWS_SECRET_ACCESS_KEY: 'a',
      ANTHROPIC_API_KEY: 'b',
      NODE_OPTIONS: '--require=evil',
      LD_PRELOAD: 'evil.so',
      VSCODE_IPC_HOOK: 'c',
      SSH_AUTH_SOCK: 'd',
      HTTPS_PROXY: 'http://proxy',
      LANG: 'de',
    },
  });
  const env = resolved.result.ok && resolved.result.value.kind === 'stdio' ? resolved.result.value.env : {};
  const { PATH, HTTPS_PROXY, GITHUB, NODE_OPTIONS, FROM_FILE } = env;
  expect({ PATH, HTTPS_PROXY, GITHUB, NODE_OPTIONS, FROM_FILE }).toEqual({
    PATH: '/usr/bin',
    HTTPS_PROXY: 'http://proxy',
    GITHUB: 'from-the-shell',
    NODE_OPTIONS: '--inspect',
    FROM_FILE: '1',
  });
  for (const name of [
    'AWS_SECRET_ACCESS_KEY',
    'ANTHROPIC_API_KEY',
    'LD_PRELOAD',
    'VSCODE_IPC_HOOK',
    'SSH_AUTH_SOCK',
    'LANG',
    'TOKEN',
    'NEVER',
  ])
    expect(env).not.toHaveProperty(name);
});

test('on Windows a variable has one value however its name is spelt', async () => {
  const resolved = await resolve({
    platform: 'win32',
    entry: { command: 'x', args: ['${token}'], env: { Path: 'C:\\tools' } },
  });
  const { result } = resolved;
  const env = result.ok && result.value.kind === 'stdio' ? result.value.env : {};
  expect([
    Object.entries(env).filter(([name]) => name.toUpperCase() === 'PATH'),
    result.ok && result.value,
  ]).toMatchObject([[['Path', 'C:\\tools']], { args: ['from-the-shell'] }]);
});

test('a server whose file of variables can’t be read is not started', async () => {
  const resolved = await resolve({ entry: { command: 'x', envFile: '${workspaceFolder}/none.env' } });
  expect(outcome(resolved)).toBe('.vscode/mcp.json:1: the server "s" can’t start: envFile: it isn’t there');
});
