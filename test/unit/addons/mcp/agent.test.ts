import { expect, test } from 'vitest';
import { call, coreLab } from '#test/support/core-lab';
import { eventually } from '#test/support/eventually';
import { nodeServer, oddServer, officialServer } from '#test/support/mcp/peers';

const everything = nodeServer(officialServer('everything'));
const lab = async (options: Parameters<typeof coreLab>[0] & { readonly server?: string } = {}) => {
  const { server = 'everything', ...more } = options;
  const made = await coreLab({ settings: { mcpServers: { everything } }, ...more });
  await eventually(() =>
    expect(made.app.mcp.servers().find(({ name }) => name === server)?.state).toBe('ready'),
  );
  return made;
};

test('the agent finds a tool of a server, asks, calls it and reads its answer', async () => {
  const made = await lab({ answers: ['allow-once'] });
  await made.turn(
    'add them',
    { calls: [call('a', 'search_tools', { query: 'select:mcp__everything__get-sum' })] },
    { calls: [call('b', 'mcp__everything__get-sum', { a: 2, b: 40 })] },
    { text: 'done' },
  );
  expect(made.results().at(-1)).toMatchObject({
    status: 'success',
    content: 'The sum of 2 and 40 is 42.',
  });
  expect(made.host.asked).toMatchObject([
    { tool: 'mcp__everything__get-sum', summary: 'everything: get-sum {"a":2,"b":40}' },
  ]);
});

test('a call that its schema refuses reaches no server, and the model is told why', async () => {
  const made = await lab();
  await made.turn(
    'add them',
    { calls: [call('a', 'search_tools', { query: 'select:mcp__everything__get-sum' })] },
    { calls: [call('b', 'mcp__everything__get-sum', { a: 'two' })] },
    { text: 'done' },
  );
  expect(made.results().at(-1)).toMatchObject({ status: 'error', code: 'invalid_arguments' });
});

test('a person who says no keeps the call from the server', async () => {
  const made = await lab({ answers: ['deny-once'] });
  await made.turn(
    'echo',
    { calls: [call('a', 'search_tools', { query: 'select:mcp__everything__echo' })] },
    { calls: [call('b', 'mcp__everything__echo', { message: 'x' })] },
  );
  expect(made.results().at(-1)).toMatchObject({ status: 'denied', code: 'permission_denied' });
});

test('MC-05 six megabytes go whole into an artifact; head and tail stay with the model', async () => {
  const odd = nodeServer(oddServer('odd-server.ts'));
  const made = await lab({ server: 'odd', settings: { mcpServers: { odd } }, answers: ['allow-once'] });
  await made.turn(
    'read it',
    { calls: [call('a', 'search_tools', { query: 'select:mcp__odd__large' })] },
    { calls: [call('b', 'mcp__odd__large', {})] },
    { text: 'done' },
  );
  const result = made.results().at(-1);
  expect({ bytes: result?.artifact?.bytes, short: (result?.content.length ?? 0) < 20_000 }).toEqual({
    bytes: 6 * 1024 * 1024,
    short: true,
  });
});

test('a picture of a server reaches the model as a picture', async () => {
  const made = await lab({ answers: ['allow-once'] });
  await made.turn(
    'look',
    { calls: [call('a', 'search_tools', { query: 'select:mcp__everything__get-tiny-image' })] },
    { calls: [call('b', 'mcp__everything__get-tiny-image', {})] },
    { text: 'done' },
  );
  expect(made.results().at(-1)?.images).toMatchObject([{ mediaType: 'image/png' }]);
});

test('stopping the turn stops the call, and the server is told', async () => {
  const odd = nodeServer(oddServer('odd-server.ts'));
  const made = await lab({ server: 'odd', settings: { mcpServers: { odd } }, answers: ['allow-once'] });
  const turn = made.turn(
    'wait',
    { calls: [call('a', 'search_tools', { query: 'select:mcp__odd__never' })] },
    { calls: [call('b', 'mcp__odd__never', {})] },
  );
  await eventually(() => expect(made.types()).toContain('tool.started'));
  await eventually(() => {
    const started = made.session.events().filter(({ type }) => type === 'tool.started').length;
    expect(started).toBe(2);
  });
  made.session.stop();
  expect(await turn).toBe('cancelled');
  await eventually(() => expect(made.app.mcp.log('odd')).toContain('cancelled'));
});

test('the first request waits for no server', async () => {
  const silent = nodeServer(oddServer('odd-server.ts'), 'silent');
  const made = await coreLab({ settings: { mcpServers: { silent } } });
  expect(await made.turn('hello', { text: 'hi' })).toBe('done');
  expect(made.app.mcp.servers()).toMatchObject([{ name: 'silent', state: 'starting' }]);
});

test('a prompt of a server is a slash command, and its text becomes the message', async () => {
  const made = await lab();
  const command = made.app.slashCommands().find(({ name }) => name.includes('args-prompt'));
  expect(command?.name).toBe('mcp__everything__args-prompt');
});

test('a server that appears later brings its tools to the next request', async () => {
  const made = await coreLab();
  await made.turn('hello', { text: 'hi' });
  made.host.configure({ mcpServers: { everything } });
  await made.app.mcp.refresh();
  await eventually(() => expect(made.app.mcp.servers()[0]?.state).toBe('ready'));
  await made.turn('again', { text: 'hi' });
  expect(JSON.stringify(made.requests.at(-1))).toContain('mcp__everything__');
});
