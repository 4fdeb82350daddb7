import { expect, test } from 'vitest';
import { type GuardedServer, guardedServer } from '#test/support/mcp/guarded-server';
import { mcpLab } from '#test/support/mcp/lab';
import { memoryVault, person } from '#test/support/mcp/person';

interface Browser {
  readonly agrees?: boolean;
  /** What comes back instead of what the server sent. */
  readonly forge?: (query: URLSearchParams) => URLSearchParams;
}

async function lab(
  server: GuardedServer,
  { agrees = true, forge = (query) => query }: Browser = {},
  kept = new Map<string, string>(),
) {
  const waiting = new Map<string, (query: URLSearchParams) => void>();
  const who = person({
    visit: ({ url }) => {
      const state = new URL(url).searchParams.get('state') ?? '';
      if (agrees) waiting.get(state)?.(forge(server.browse(url)));
      return agrees;
    },
  });
  const made = await mcpLab({
    mcpServers: { guarded: { url: server.url } },
    ports: {
      questions: who.questions,
      vault: memoryVault(kept),
      signIn: {
        redirectUrl: async () => 'vscode://belay.belay/mcp',
        comeBack: (state) => new Promise((resolve) => waiting.set(state, resolve)),
      },
    },
  });
  return { ...made, who, kept };
}

test('a server that wants a sign-in waits for the person; by itself nothing opens', async () => {
  const { until, who } = await lab(await guardedServer());
  expect((await until('guarded', 'sign-in')).detail).toBe('It wants you to sign in.');
  expect(who.asked).toEqual([]);
});

test('the person signs in, sees the whole address before, and the server is let in from then on', async () => {
  const server = await guardedServer();
  const first = await lab(server);
  await first.until('guarded', 'sign-in');
  await first.servers.signIn('guarded');
  await first.until('guarded', 'ready');
  expect((await first.call('guarded', 'secret')).content).toBe('inside');
  expect(first.who.asked).toMatchObject([
    { from: 'the MCP server guarded', url: expect.stringContaining('code_challenge_method=S256') },
  ]);
  const second = await lab(server, {}, first.kept);
  await second.until('guarded', 'ready');
  expect(second.who.asked).toEqual([]);
});

test('a token that has run out is replaced without the person', async () => {
  const server = await guardedServer();
  const made = await lab(server);
  await made.until('guarded', 'sign-in');
  await made.servers.signIn('guarded');
  await made.until('guarded', 'ready');
  server.valid.clear();
  expect((await made.call('guarded', 'secret')).content).toBe('inside');
  expect(server.grants).toEqual(['authorization_code', 'refresh_token']);
});

test('an answer with another state is refused, and no token is asked for', async () => {
  const server = await guardedServer();
  const forge = (query: URLSearchParams) =>
    new URLSearchParams({ code: query.get('code') ?? '', state: 'forged' });
  const made = await lab(server, { forge });
  await made.until('guarded', 'sign-in');
  await made.servers.signIn('guarded');
  expect([made.row('guarded')?.state, made.row('guarded')?.detail, server.grants]).toEqual([
    'sign-in',
    'The sign-in was refused.',
    [],
  ]);
});

test('what a refusal says isn’t shown: anybody could have written it', async () => {
  const forge = (query: URLSearchParams) =>
    new URLSearchParams({ error: 'call-this-number', state: query.get('state') ?? '' });
  const made = await lab(await guardedServer(), { forge });
  await made.until('guarded', 'sign-in');
  await made.servers.signIn('guarded');
  expect(made.row('guarded')?.detail).toBe('The sign-in was refused.');
});

test('a person who doesn’t open the page is not signed in', async () => {
  const made = await lab(await guardedServer(), { agrees: false });
  await made.until('guarded', 'sign-in');
  await made.servers.signIn('guarded');
  expect(made.row('guarded')).toMatchObject({
    state: 'sign-in',
    detail: 'The page to sign in was not opened.',
  });
});

test('signing out forgets the tokens, and the server waits again', async () => {
  const made = await lab(await guardedServer());
  await made.until('guarded', 'sign-in');
  await made.servers.signIn('guarded');
  await made.until('guarded', 'ready');
  await made.servers.signOut('guarded');
  await made.until('guarded', 'sign-in');
  expect([...made.kept.values()].join()).not.toContain('access-');
});

test('where nobody could sign in, a server that wants it is given up with the reason', async () => {
  const server = await guardedServer();
  const made = await mcpLab({ mcpServers: { guarded: { url: server.url } } });
  expect((await made.until('guarded', 'failed')).detail).toContain('HTTP 401');
});

test('a token that another window has replaced meanwhile is used, and no refresh token twice', async () => {
  const server = await guardedServer();
  const one = await lab(server);
  await one.until('guarded', 'sign-in');
  await one.servers.signIn('guarded');
  await one.until('guarded', 'ready');
  const two = await lab(server, {}, one.kept);
  await two.until('guarded', 'ready');
  server.valid.clear();
  for (const window of [one, two]) expect((await window.call('guarded', 'secret')).content).toBe('inside');
  expect(server.grants).toEqual(['authorization_code', 'refresh_token']);
});
