import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Settings } from '#protocol/settings';
import { call, coreLab } from '#test/support/core-lab';
import { PROXY_CLIENT } from '#test/support/proxy-client';

vi.setConfig({ testTimeout: 60_000 });

/** One command in the real sandbox of this machine; `asked` is the question that it would be in the default mode. */
async function commandIn(settings: Partial<Settings>, command: string) {
  const lab = await coreLab({
    workspace: { 'a.txt': 'kept\n' },
    settings: { mode: 'allow', ...settings },
    core: { assumeSandbox: false },
  });
  await lab.turn('x', { calls: [call('c', 'run_command', { command, description: 'x' })] }, { text: 'ok' });
  const completed = lab.session.events().find(({ type }) => type === 'tool.completed');
  const trace = completed?.type === 'tool.completed' ? completed.trace : [];
  return {
    lab,
    content: lab.results()[0]?.content ?? '',
    confine: trace.find(({ stage }) => stage === 'confine')?.why,
    prompt: lab.requests[0]?.system ?? '',
  };
}

const HELD =
  'commands can write neither to the workspace nor to the rest of this machine, credentials are hidden';

test('with the setting read-only no command writes to the workspace, Belay’s own tools still do, and everybody is told', async () => {
  const { lab, content, confine, prompt } = await commandIn(
    { sandbox: 'read-only' },
    'cat a.txt; echo t > /tmp/t && cat /tmp/t; echo evil > a.txt',
  );
  expect(content).toContain('kept\nt\n');
  expect(content).toContain('a.txt: Read-only file system');
  expect(content).toContain(
    '(by the setting belay.sandbox.mode commands can write nothing in the workspace)',
  );
  expect([confine, prompt.includes(`- Commands: bubblewrap: ${HELD}\n`) || prompt.endsWith(HELD)]).toEqual([
    `bubblewrap: ${HELD}, no network`,
    true,
  ]);
  await lab.turn(
    'y',
    { calls: [call('d', 'write_file', { path: 'b.txt', content: 'tool\n' })] },
    { text: 'ok' },
  );
  expect([lab.folder.text('a.txt'), lab.folder.text('b.txt')]).toEqual(['kept\n', 'tool\n']);
});

test('the question says that the folder is read-only, or that some hosts are reached', async () => {
  const asked = async (settings: Partial<Settings>) => {
    const { lab } = await commandIn({ mode: 'prompt', ...settings }, 'make');
    const { active, reach, workspace } = lab.host.asked[0]?.sandbox ?? {};
    return { active, reach, workspace };
  };
  expect([
    await asked({ sandbox: 'read-only' }),
    await asked({ sandbox: 'allow-list', sandboxAllowedHosts: ['allowed.example'] }),
    await asked({ sandbox: 'workspace-only', sandboxAllowedHosts: ['allowed.example'] }),
    await asked({ sandbox: 'off', sandboxAllowedHosts: ['allowed.example'] }),
  ]).toEqual([
    { active: true, workspace: 'read-only' },
    { active: true, reach: 'hosts' },
    { active: true },
    { active: false },
  ]);
});

test('with the allow-list a listed host is reached, another is named in the result, and everybody is told', async () => {
  const server = createServer((_request, response) => response.end('greeting'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { content, confine, prompt } = await commandIn(
    { sandbox: 'allow-list', sandboxAllowedHosts: [host, 'https://page.example/'] },
    `${PROXY_CLIENT} get http://${host}/; echo; tunnel evil.example:443; direct ${host}`,
  );
  const words = `bubblewrap: the workspace is writable, the rest of this machine read-only, credentials hidden; without the network commands still reach, through a proxy: ${host}; not understood in belay.sandbox.allowedHosts: https://page.example/`;
  expect(content).toMatch(/^greeting\n403 Not in belay\.sandbox\.allowedHosts\nECONNREFUSED\n/);
  expect(content).toContain(
    `refused by the sandbox's proxy: evil.example:443; the user may add a host to belay.sandbox.allowedHosts, or call again with "network": true, which asks the user`,
  );
  expect(content).toContain(
    'the sandbox may be the reason (the setting belay.sandbox.allowedHosts does not list evil.example:443)',
  );
  expect([confine, prompt.includes(`- Commands: ${words}`)]).toEqual([
    `${words}, no network but the allowed hosts`,
    true,
  ]);
});

test('what goes unasked because it only reads reaches no host', async () => {
  const { confine } = await commandIn(
    { mode: 'workspace-write', sandbox: 'allow-list', sandboxAllowedHosts: ['allowed.example'] },
    'cat a.txt',
  );
  expect(confine).toContain(', no network, nothing in the workspace can be written');
});
