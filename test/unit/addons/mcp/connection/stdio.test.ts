import { expect, test } from 'vitest';
import { eventually } from '#test/support/eventually';
import { attempt, connected, stdio } from '#test/support/mcp/connected';
import { oddServer } from '#test/support/mcp/peers';
import { isAlive, pidIn } from '#test/support/mcp/pids';

const odd = (...modes: readonly string[]) => stdio(oddServer('odd-server.ts'), ...modes);
const signal = new AbortController().signal;
const call = { signal, timeoutMs: 20_000 };
const said = (text: string) => ({ ok: true, value: { content: [{ type: 'text', text }] } });

test('what a server prints that is no message is logged and does no harm', async () => {
  const { connection, logged } = await connected(odd('noise', 'wrong'));
  expect(await connection.callTool('echo', { a: 1 }, call)).toEqual(said('{"a":1}'));
  expect(logged).toContain('(stdout) Welcome to the server!');
  expect(logged).toContain('(stdout) {broken json');
});

test('MC-03 a server that ends during a call fails the call, and says how it ended', async () => {
  const { connection } = await connected(odd());
  expect(await connection.callTool('exit', {}, call)).toMatchObject({ ok: false, error: { kind: 'lost' } });
  expect(await connection.closed).toEqual({ kind: 'failed', words: 'It ended with exit code 3.' });
});

test('MC-03 all calls that wait fail when the server ends', async () => {
  const { connection } = await connected(odd());
  const waiting = connection.callTool('never', {}, call);
  await connection.callTool('exit', {}, call);
  expect(await waiting).toMatchObject({ ok: false, error: { kind: 'lost' } });
});

test('what a server said right before it ended is heard', async () => {
  const { connection } = await connected(odd());
  expect(await connection.callTool('last', {}, call)).toEqual(said('my last words'));
});

test('MC-05 a call that never ends ends at its time limit, and the server is told', async () => {
  const { connection, logged } = await connected(odd());
  expect(await connection.callTool('never', {}, { signal, timeoutMs: 100 })).toEqual({
    ok: false,
    error: { kind: 'timed-out', words: 'no answer within 0.1 s' },
  });
  await eventually(() => expect(logged.join('\n')).toContain('cancelled'));
});

test('MC-05 a stopped call rejects at once, the server is told, and its late answer is dropped', async () => {
  const { connection, logged } = await connected(odd());
  const stop = new AbortController();
  const stopped = connection.callTool('late', {}, { signal: stop.signal, timeoutMs: 20_000 });
  stop.abort(new Error('enough'));
  await expect(stopped).rejects.toThrow('enough');
  await eventually(() => expect(logged.join('\n')).toContain('cancelled'));
  expect(await connection.callTool('echo', {}, call)).toEqual(said('{}'));
});

test('each sign of progress gives a call its time anew, and is one line for people', async () => {
  const { connection } = await connected(odd());
  const lines: string[] = [];
  const onProgress = (line: string) => void lines.push(line);
  // Eight steps of half a second: more than the limit in all, far less in each.
  expect(await connection.callTool('slow', {}, { signal, timeoutMs: 3000, onProgress })).toEqual(
    said('done'),
  );
  expect(lines[0]).toBe('step 1 of\\u{202e} 8');
});

test('an answer that comes twice, or to nothing that was asked, does no harm', async () => {
  const { connection } = await connected(odd());
  expect(await connection.callTool('twice', {}, call)).toEqual(said('first'));
  expect(await connection.callTool('echo', {}, call)).toEqual(said('{}'));
});

test('MC-05 ten megabytes in one answer pass', async () => {
  const { connection } = await connected(odd());
  const answer = await connection.callTool('larger', {}, call);
  expect(JSON.stringify(answer).length).toBeGreaterThan(10 * 1024 * 1024);
});

test('a line without an end is cut off with its server', async () => {
  const { connection, logged } = await connected(odd());
  expect(await connection.callTool('endless', {}, call)).toMatchObject({
    ok: false,
    error: { kind: 'lost' },
  });
  expect(await connection.closed).toEqual({
    kind: 'failed',
    words: 'It sent a message of more than 16 MB.',
  });
  await connection.close();
  expect(isAlive(pidIn(logged.join('\n')))).toBe(false);
});

test('what a server refuses comes back in its words, on one line, nothing invisible', async () => {
  const { connection } = await connected(odd());
  const refused = await connection.callTool('refusing', {}, call);
  expect(refused).toMatchObject({ ok: false, error: { kind: 'refused' } });
  expect(refused.ok ? '' : refused.error.words).toContain('no\\u{202e} such thing');
});

test('a list that leads in a circle ends', async () => {
  const { connection } = await connected(odd('circle'));
  expect(await connection.tools(signal)).toMatchObject({
    ok: true,
    value: [{ name: 'echo' }, { name: 'echo' }, { name: 'echo' }],
  });
});

test('of thousands of tools the first thousand count', async () => {
  const { connection, logged } = await connected(odd('many'));
  const tools = await connection.tools(signal);
  expect(tools.ok && tools.value.length).toBe(1000);
  expect(logged.join('\n')).toContain('only the first 1000 of tools count');
});

test('a server that never greets back is left when the wait is given up, and nothing of it stays', async () => {
  const patience = new AbortController();
  const logged: string[] = [];
  const log = (line: string) => {
    logged.push(line);
    patience.abort();
  };
  const { result } = await attempt(odd('silent'), { signal: patience.signal, log });
  expect(result).toMatchObject({ ok: false });
  expect(isAlive(pidIn(logged.join('\n')))).toBe(false);
});

test('a server of a protocol that nobody knows says so', async () => {
  const { result } = await attempt(odd('ancient'));
  expect(result).toMatchObject({ ok: false, error: { words: expect.stringContaining('1999-01-01') } });
});

test('a program that is no server says how it ended', async () => {
  const { result } = await attempt({ ...odd(), command: '/bin/false', args: [] });
  expect(result).toEqual({ ok: false, error: { kind: 'failed', words: 'It ended with exit code 1.' } });
});

test('a server that ignores SIGTERM is gone after close', async () => {
  const { connection, logged } = await connected(odd('stubborn'));
  await connection.close();
  expect(isAlive(pidIn(logged.join('\n')))).toBe(false);
});

test('a server asks for roots and is told of the folder alone', async () => {
  const { connection } = await connected(odd(), { root: '/some/fo lder' });
  expect(await connection.callTool('roots', {}, call)).toEqual(
    said('{"roots":[{"uri":"file:///some/fo%20lder","name":"fo lder"}]}'),
  );
});

test('a server that asks for a model, or a person who isn’t there, is refused', async () => {
  const { connection } = await connected(odd());
  for (const [name, input] of [
    ['sample', {}],
    ['ask', { message: 'Your name?', requestedSchema: { type: 'object', properties: {} } }],
  ] as const)
    expect(JSON.stringify(await connection.callTool(name, input, call))).toContain('-32601');
});
