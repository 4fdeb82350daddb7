import { expect, test } from 'vitest';
import { builtInLists } from '#gates/rules/built-in-lists';
import type { AbsolutePath } from '#protocol/ids';
import { settingsSchema } from '#protocol/settings';
import { bench, verdictOf } from './bench';

test.each([
  ['.env.example', 'allow'],
  ['sub/.env.sample', 'allow'],
  ['.env.production.template', 'allow'],
  ['.env-sample', 'allow'],
  ['.env_prod-eu.example', 'allow'],
  ['.envrc.example', 'allow'],
  ['.env.local', 'ask'],
  ['.env-prod', 'ask'],
  ['.env_prod', 'ask'],
  ['.env~', 'ask'],
  ['.env/key', 'ask'],
  ['.envrc', 'ask'],
  ['.envrc.private', 'ask'],
  ['.envoy/routes.yaml', 'allow'],
  ['.environments/dev.tf', 'allow'],
  ['.environment', 'allow'],
  ['deep/id_ed25519', 'ask'],
  ['id_ed25519_sk', 'ask'],
  ['id_rsa_work', 'ask'],
  ['id_rsa.old', 'ask'],
  ['id_rsa_work.pub', 'allow'],
  ['id_rsa.pub/key', 'ask'],
  ['id_map.py', 'allow'],
  ['.env.example.local', 'ask'],
  ['.env.example/key', 'ask'],
  ['.env.examples', 'ask'],
  ['key.pem.example/.env.prod', 'ask'],
] as const)(
  'a sample of a secret is there to be read, what only looks like one isn’t: %s: %s',
  async (path, expected) => {
    const gates = bench({ files: { [path]: 'KEY=x\n' } });
    expect(await verdictOf(gates.walk('read_file', { path }), gates)).toBe(expected);
  },
);

test('a sample that the list names itself is a secret', async () => {
  const settings = settingsSchema.parse({ secretFiles: ['.env.*', '.env.example'] });
  const { secret } = builtInLists(settings, '/w' as AbsolutePath);
  expect([secret('/w/.env.sample' as AbsolutePath), secret('/w/.env.example' as AbsolutePath)]).toEqual([
    undefined,
    '.env.example',
  ]);
});
