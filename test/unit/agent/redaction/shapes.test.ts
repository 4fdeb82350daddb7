import { expect, test } from 'vitest';
import { createRedactor } from '#agent/redaction/redactor';
import { SHAPES } from '#agent/redaction/shapes';
import { processorSeconds } from '#test/support/processor';

const { value: redact } = createRedactor(() => [], {});

const letters = (length: number) => 'aB3dE5gH7jK9mN2pQ4rS6tU8vW'.repeat(20).slice(0, length);
const hex = (length: number) => '0123456789abcdef'.repeat(20).slice(0, length);
const big = (length: number) => 'ABCDEFGH234567'.repeat(9).slice(0, length);

// Made of parts, so that no scanner takes this file for one that holds secrets.
const KNOWN: readonly (readonly [string, string])[] = [
  ['Anthropic key', `sk-${'ant'}-api03-${letters(95)}`],
  ['OpenRouter key', `sk-${'or'}-v1-${hex(64)}`],
  ['OpenAI key', `sk-${'proj'}-${letters(40)}T3BlbkFJ${letters(40)}`],
  ['API key', `sk-${letters(48)}`],
  ['Google API key', `AI${'za'}${letters(35)}`],
  ['Google client secret', `GOC${'SPX'}-${letters(28)}`],
  ['Google access token', `ya${'29'}.${letters(60)}`],
  ['GitHub token', `gh${'p_'}${letters(36)}`],
  ['GitHub token', `gh${'s_'}12345_ey${'J'}${letters(40)}.ey${'J'}${letters(200)}.${letters(90)}`],
  ['GitHub token', `github${'_pat_'}${letters(22)}_${letters(59)}`],
  ['GitLab token', `gl${'pat'}-${letters(20)}`],
  ['Slack token', `xo${'xb'}-123456789012-1234567890123-${letters(24)}`],
  ['npm token', `np${'m_'}${letters(36)}`],
  ['PyPI token', `pypi${'-Ag'}EIcHlwaS5vcmc${letters(70)}`],
  ['RubyGems key', `ruby${'gems_'}${hex(48)}`],
  ['crates.io token', `ci${'o'}${letters(32)}`],
  ['Docker token', `dckr${'_pat_'}${letters(27)}`],
  ['AWS key id', `AK${'IA'}${big(16)}`],
  ['Stripe key', `sk${'_live_'}${letters(24)}`],
  ['Stripe webhook secret', `wh${'sec_'}${letters(32)}`],
  ['Hugging Face token', `hf${'_'}${letters(34)}`],
  ['Groq key', `gs${'k_'}${letters(52)}`],
  ['xAI key', `xa${'i-'}${letters(80)}`],
  ['Perplexity key', `pp${'lx-'}${letters(48)}`],
  ['Replicate token', `r${'8_'}${letters(37)}`],
  ['NVIDIA key', `nv${'api-'}${letters(64)}`],
  ['Tavily key', `tv${'ly-'}dev-${letters(32)}`],
  ['Databricks token', `da${'pi'}${hex(32)}`],
  ['DigitalOcean token', `dop${'_v1_'}${hex(64)}`],
  ['Shopify token', `shp${'at_'}${hex(32)}`],
  ['SendGrid key', `S${'G.'}${letters(22)}.${letters(43)}`],
  ['Vault token', `hv${'s.'}${letters(90)}`],
  ['Linear key', `lin${'_api_'}${letters(40)}`],
  ['Notion token', `nt${'n_'}${letters(46)}`],
  ['Grafana token', `gl${'sa_'}${letters(32)}_${hex(8)}`],
  ['Supabase key', `sb${'p_'}${hex(40)}`],
  ['Atlassian token', `ATA${'TT3'}${letters(180)}=${hex(8)}`],
  ['Figma token', `fi${'gd_'}${letters(40)}`],
  ['Postman key', `PM${'AK-'}${hex(24)}-${hex(34)}`],
  ['Sentry token', `sn${'trys_'}${letters(120)}`],
  ['age secret key', `AGE-${'SECRET'}-KEY-1${big(58)}`],
  ['JSON Web Token', `ey${'J'}${letters(40)}.ey${'J'}${letters(80)}.${letters(43)}`],
];

test.each(KNOWN)('takes out a whole %s', (what, secret) => {
  const mark = `[redacted: ${what}]`;
  expect(redact(secret)).toBe(mark);
  const quoted = `KEY="${secret}" ${secret}, (${secret})\n${JSON.stringify(`a\n${secret}\n`)} ?k%3D${secret}`;
  expect(redact(quoted)).toBe(quoted.replaceAll(secret, mark));
});

const SECRET_KEY = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYzzzzzzzKEY';

test.each([
  [`aws_secret_access_key = ${SECRET_KEY}`, 'aws_secret_access_key = [redacted: AWS secret key]'],
  [`AWS_SECRET_ACCESS_KEY="${SECRET_KEY}"`, 'AWS_SECRET_ACCESS_KEY="[redacted: AWS secret key]"'],
  [`"SecretAccessKey": "${SECRET_KEY}",`, '"SecretAccessKey": "[redacted: AWS secret key]",'],
  [
    `DefaultEndpointsProtocol=https;AccountKey=${letters(86)}==;x`,
    'DefaultEndpointsProtocol=https;AccountKey=[redacted: Azure account key];x',
  ],
  [
    `https://x.blob.core.windows.net/a?sv=1&sig=${letters(43)}%3D&se=2`,
    'https://x.blob.core.windows.net/a?sv=1&sig=[redacted: Azure signature]&se=2',
  ],
  [`secret: abc8Q~${letters(34)}`, 'secret: abc[redacted: Azure client secret]'],
  [`authorization: Bearer ${letters(20)}`, 'authorization: Bearer [redacted: credentials of a request]'],
  [
    `-H "Authorization: Basic dXNlcjpwYXNz"`,
    '-H "Authorization: Basic [redacted: credentials of a request]"',
  ],
  [
    `https://hooks.slack.com/services/T00000000/B00000000/${letters(24)}`,
    'https://hooks.slack.com/services/[redacted: Slack webhook]',
  ],
  [
    'git clone https://me:hunter2$&;@host.example/x.git',
    'git clone https://me:[redacted: URL password]@host.example/x.git',
  ],
  ['redis://:pw@[::1]:6379', 'redis://:[redacted: URL password]@[::1]:6379'],
])('takes the value out of %j and leaves its name', (text, expected) => {
  expect(redact(text)).toBe(expected);
});

const BODY = `${letters(64)}\n${letters(64)}\n${letters(20)}==`;

test.each([
  ['RSA ', BODY],
  ['', BODY],
  ['OPENSSH ', BODY],
  ['ENCRYPTED ', `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0011\n\n${BODY}`],
])('takes out a private key of the kind “%s”, as it is and inside JSON', (kind, body) => {
  const key = `-----BEGIN ${kind}PRIVATE KEY-----\n${body}\n-----END ${kind}PRIVATE KEY-----`;
  const shown = `a\n${key}\nb ${JSON.stringify({ key })}`;
  expect(redact(shown)).toBe('a\n[redacted: private key]\nb {"key":"[redacted: private key]"}');
});

test('takes out what there is of a private key that was cut off', () => {
  const text = `-----BEGIN PRIVATE KEY-----\n${BODY}\n… 900 characters left out …\nafter`;
  expect(redact(text)).toBe('[redacted: private key]\n… 900 characters left out …\nafter');
});

test.each([
  'task-list-item-1234567890abcdef and disk-usage-0123456789abcdef0123',
  'sk-loading-spinner-container-large sk-fading-circle sk-cube-grid',
  'import { mask-image } from "risk-assessment-framework-2024-edition"',
  `commit ${hex(40)} sha256:${hex(64)} sha512-${letters(86)}==`,
  '123e4567-e89b-12d3-a456-426614174000',
  'npm_config_registry npm_lifecycle_event npm_package_dependencies_something_long_name_here',
  'hf_hub_download hf_transformers_model_for_sequence_classification_tasks',
  'ghp_short glpat-short AKIA AIza xoxb- eyJhbGciOiJIUzI1NiJ9',
  'http://localhost:8080/@vite/client https://host:443/path@2x.png',
  'https://registry.example/@scope/name/-/name-1.0.0.tgz git@github.com:me/repo.git',
  'postgres://user:${DB_PASSWORD}@host/db postgres://user:{password}@host https://me:****@host http://%s:%s@x',
  '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkq\n-----END PUBLIC KEY-----\n-----BEGIN CERTIFICATE-----',
  "headers: { Authorization: `Bearer ${token}`, authorization: 'Bearer ' + key }",
  'AWS_SECRET_ACCESS_KEY=$(pass show aws) aws_secret_access_key = os.environ["KEY"]',
  `https://x/?sig=short`,
  'key: cioppino SG.example hvs.example-name-without-a-number-in-it',
])('leaves ordinary text as it is: %s', (text) => {
  expect(redact(text)).toBe(text);
});

const MUCH = 1_500_000;

test.each([
  'sk-',
  'sk-ant-',
  '-sk-',
  ' sk-aaaaaaaaaaaaaaaaaaa',
  'eyJ',
  '-eyJ',
  '.eyJ',
  ' eyJaaaaaaaaaaa.',
  'eyJaaaaaaaaaaa.eyJ',
  '://',
  'a://a:',
  'a://',
  ':',
  '@',
  'x://a:b',
  '-----BEGIN ',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN RSA PRIVATE KEY-----\nAAAAAAAAAAAAAAAAAAAA\n',
  '-',
  'Authorization: ',
  'Authorization: Bearer  ',
  'aws_secret_access_key',
  'secretAccessKey"   ',
  'AccountKey=',
  '&sig=a',
  '8Q~',
  'ghp_',
  'ghp_a',
  'a',
  ' ',
  '\n',
  '\\n',
  'AAAAAAAAAAAAAAAAAAAA\n',
  '+-',
])('megabytes of %j, behind the head of a key too, take no time to speak of', async (piece) => {
  const text = piece.repeat(Math.ceil(MUCH / piece.length));
  const taken = await processorSeconds(() => {
    redact(text);
    redact(`-----BEGIN PRIVATE KEY-----\n${text}`);
  });
  // Ordinary text takes some 50 ms; what isn't linear would take minutes.
  expect(taken).toBeLessThan(5);
});

test('no start of a shape holds the work up, however often it stands there', async () => {
  const slow: string[] = [];
  for (const start of SHAPES.flatMap(({ starts }) => starts)) {
    for (const between of ['', ' ', 'a', '-a1', '.a1']) {
      const text = `${start}${between}`.repeat(100_000 / start.length);
      if ((await processorSeconds(() => redact(text))) > 2) slow.push(start + between);
    }
  }
  expect(slow).toEqual([]);
});

test.each([
  ['a colour', '\u001b[31m'],
  ['many attributes', '\u001b[38;2;255;100;0m'],
  ['a colour as JSON', '\\u001b[1m'],
  ['a colour as a shell writes it', '\\033[0;31m'],
  ['a colour as C writes it', '\\x1b[K'],
  ['a colour as echo writes it', '\\e[1m'],
])('finds a key right behind %s', (_name, before) => {
  const key = `ghp_${'aB3'.repeat(12)}`;
  expect(createRedactor(() => [], {}).value(`${before}${key}`)).toBe(`${before}[redacted: GitHub token]`);
});

test.each([
  'Authorization: Basic authentication',
  '"Authorization": "Token required for this"',
  'authorization: bearer authentication, then a header',
])('leaves prose about requests: %s', (text) => {
  expect(redact(text)).toBe(text);
});

test.each(['-', '+', ' ', '> ', '12:', '     7→', '\t'])(
  'a private key behind %j goes whole, its end shown or not',
  (sign) => {
    const body = Array.from({ length: 4 }, () => `${sign}${letters(64)}`);
    const key = [`${sign}-----BEGIN RSA PRIVATE KEY-----`, ...body, `${sign}-----END RSA PRIVATE KEY-----`];
    expect([redact(`${key.join('\n')}\nmore`), redact(key.slice(0, 3).join('\n'))]).toEqual([
      `${sign}[redacted: private key]\nmore`,
      `${sign}[redacted: private key]`,
    ]);
  },
);

test('the shortest address with a password is found, too', () => {
  expect(redact('://:p@h')).toBe('://:[redacted: URL password]@h');
});
