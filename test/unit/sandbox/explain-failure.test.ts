import { expect, test } from 'vitest';
import { explainFailure } from '#sandbox/explain-failure';
import { processorSeconds } from '#test/support/processor';

const why = (output: string, network = false) => explainFailure({ output, network });

test.each([
  ['Cannot connect to the Docker daemon at unix:///var/run/docker.sock.', /socket/],
  ['git@github.com: Permission denied (publickey).', /keys/],
  ["touch: cannot touch '/usr/x': Read-only file system", /read-only/],
  ["Error: EROFS: read-only file system, open '/home/me/.cache/x'", /read-only/],
  ["mkdir: cannot create directory '.vscode/x': Permission denied", /protected/],
  ['/work/.git: Permission denied', /protected/],
  ['curl: (6) Could not resolve host: example.com', /network/],
  ['npm error code EAI_AGAIN', /network/],
  ['connect: Network is unreachable', /network/],
  ['FATAL: No usable sandbox! Update your kernel', /nested/],
  ['==1==LeakSanitizer has encountered a fatal error', /debugging/],
  ['Error: connect EPERM /srv/db.sock', /not permitted/],
])('%s', (output, words) => {
  expect(why(output)).toMatch(words);
});

test.each([
  '1 test failed: expected 2 to be 3',
  'sh: 1: ./build.sh: Permission denied',
  'error TS2304: Cannot find name x',
  '',
])('nothing is made of: %s', (output) => {
  expect(why(output)).toBe(undefined);
});

test('with the network its failures are not the sandbox’s', () => {
  expect(why('curl: (6) Could not resolve host: example.com', true)).toBe(undefined);
});

test('of long output only the end counts, and it is read quickly', async () => {
  const long = `EROFS${' .git'.repeat(2_000_000)}`;
  expect(await processorSeconds(() => expect(why(long)).toBe(undefined))).toBeLessThan(5);
});

const hosts = { refused: [] };

test.each([
  ['curl: (56) CONNECT tunnel failed, response 403', 'does not list'],
  ['curl: (56) Received HTTP code 403 from proxy after CONNECT', 'does not list'],
  ['OSError: Tunnel connection failed: 403 Not in belay.sandbox.allowedHosts', 'does not list'],
  ['tunneling socket could not be established, statusCode=403', 'does not list'],
  ['Error: connect ENETUNREACH 93.184.215.14:443', 'went past the proxy'],
  ['getaddrinfo EAI_AGAIN example.com', 'went past the proxy'],
])('where some hosts are reached the setting is named: %s', (output, words) => {
  const why = explainFailure({ output, network: false, hosts });
  expect([why?.includes(words), why?.includes('belay.sandbox.allowedHosts')]).toEqual([true, true]);
  expect(explainFailure({ output, network: true, hosts })).toBe(undefined);
});

test('what the proxy refused is known, whatever the command made of it', () => {
  const refused = ['registry.example:443', 'other.example:443'];
  expect(explainFailure({ output: 'npm error code E403', network: false, hosts: { refused } })).toBe(
    'the setting belay.sandbox.allowedHosts does not list registry.example:443',
  );
});

test('a web page’s own 403 says nothing', () => {
  expect(explainFailure({ output: 'HTTP 403: access denied', network: false, hosts })).toBe(undefined);
});

test('in a workspace that the setting makes read-only, the setting is named', () => {
  const output = "touch: cannot touch 'a': Read-only file system";
  expect(explainFailure({ output, network: false, workspaceReadOnly: true })).toBe(
    'by the setting belay.sandbox.mode commands can write nothing in the workspace',
  );
});
