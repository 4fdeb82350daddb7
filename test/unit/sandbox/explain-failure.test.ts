import { expect, test } from 'vitest';
import { explainFailure } from '#sandbox/explain-failure';

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

test('of long output only the end counts, and it is read quickly', () => {
  const start = performance.now();
  expect(why(`EROFS${' .git'.repeat(2_000_000)}`)).toBe(undefined);
  expect(performance.now() - start).toBeLessThan(2000);
});
