import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { AgentEvent } from '#protocol/event';
import { type CoreLab, call, coreLab } from '#test/support/core-lab';

const STORED = 'stored-Value-1234';
const IN_ENVIRONMENT = 'environment-Value-1234';
const TOKEN = `gh${'p_'}aB3dE5gH7jK9mN2pQ4rS6tU8vWaB3dE5gH7j`;
const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEpAIBAAKCAQEA7bq98V5W\n'.repeat(3)}-----END RSA PRIVATE KEY-----`;
/** What of each must be seen nowhere. */
const SECRETS = [STORED, IN_ENVIRONMENT, TOKEN.slice(8), 'MIIEpAIBAAKCAQEA7bq98V5W'];

async function lab(options: Parameters<typeof coreLab>[0] = {}): Promise<CoreLab & { told: AgentEvent[] }> {
  const made = await coreLab({
    workspace: { 'secrets.txt': `${STORED} ${IN_ENVIRONMENT}\n${TOKEN}\n${KEY}\n` },
    settings: { mode: 'allow', secretFiles: [] },
    variables: { PATH: process.env['PATH'], DEPLOY_TOKEN: IN_ENVIRONMENT },
    ...options,
  });
  made.host.keys.set('provider', STORED);
  const told: AgentEvent[] = [];
  made.session.onEvent((event) => told.push(event));
  return { ...made, told };
}

const run = (command: string) => call('c1', 'run_command', { command, description: 'd' });
const seenIn = (value: unknown) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return SECRETS.filter((secret) => text.includes(secret));
};

test('CM-15: what a command prints tells no secret: to the model, in events, displays and on the way', async () => {
  const { turn, results, told, session, app } = await lab();
  await turn('x', { calls: [run('cat secrets.txt; sleep 0.1; head -c 300 secrets.txt')] }, { text: 'done' });
  const [result] = results();
  expect(result?.content.split('\n').slice(0, 3)).toEqual([
    '[redacted: stored key] [redacted: value of DEPLOY_TOKEN]',
    '[redacted: GitHub token]',
    '[redacted: private key]',
  ]);
  expect(
    [told, session.events(), session.transcript(), session.messages(), app.sessions()].map(seenIn),
  ).toEqual([[], [], [], [], []]);
  expect(told.some(({ type }) => type === 'live.output')).toBe(true);
});

test('CM-15: the artifact of a long output holds no secret, nor what is left of one where the output was cut', async () => {
  const { turn, results, app, session } = await lab();
  // The cut falls in the middle of the token, wherever in a line it stands.
  const command = `t=$(sed -n 2p secrets.txt); for i in $(seq 1 2000); do echo "some words $t"; done`;
  await turn('x', { calls: [run(command)] }, { text: 'done' });
  const [result] = results();
  const whole = await app.artifact(session.id, result?.artifact?.id ?? '');
  expect([seenIn(result), seenIn(whole), whole?.split('\n').length]).toEqual([[], [], 2001]);
  const leftovers = /gh[p]_\w+|\w{20,}/.exec(result?.content ?? '');
  expect(leftovers?.[0] ?? 'none').toBe('none');
});

test('what the model says in pieces is shown without secrets', async () => {
  const { turn, told, session } = await lab();
  await turn('x', { text: `the token is ${TOKEN}, the key ${STORED}` });
  const shown = told.flatMap((event) => (event.type === 'live.text' ? [event.delta] : [])).join('');
  expect([seenIn(told), seenIn(session.transcript())]).toEqual([[], []]);
  expect(shown).toBe('the token is [redacted: GitHub token], the key [redacted: stored key]');
});

test('what the model saw and said stays as it was: a file that is read, the prompt, the arguments', async () => {
  const { turn, session, told } = await lab();
  const read = call('c1', 'read_file', { path: 'secrets.txt' });
  await turn(
    `use ${TOKEN}`,
    { calls: [read] },
    { calls: [call('c2', 'search_files', { pattern: STORED })] },
    { text: 'ok' },
  );
  const messages = session.messages();
  expect(SECRETS.filter((secret) => !JSON.stringify(messages).includes(secret))).toEqual([]);
  expect(seenIn(told)).toEqual([]);
});

test('a question is asked, kept and told without the secret in it, and no rule with one is offered', async () => {
  const { turn, host, told } = await lab({
    settings: { mode: 'prompt', autoAllowReadOnly: false },
    answers: ['deny-once'],
  });
  await turn('x', { calls: [run(`curl -H 'X: ${TOKEN}' https://me:pass@host/${STORED}`)] }, { text: 'ok' });
  expect(host.asked).toMatchObject([
    {
      summary:
        "curl -H 'X: [redacted: GitHub token]' https://me:[redacted: URL password]@host/[redacted: stored key]",
    },
  ]);
  const [request] = host.asked;
  const rules = [request?.suggestedRule ?? '', ...(request?.ruleChoices ?? [])];
  expect([seenIn(host.asked), seenIn(told), rules.filter((rule) => rule.includes('redacted'))]).toEqual([
    [],
    [],
    [],
  ]);
});

test('of all that is kept only the messages and the files’ own earlier contents hold a secret', async () => {
  const { turn, storage, session, app, host } = await lab();
  const write = call('c2', 'write_file', { path: 'new.env', content: `A=${TOKEN}\n${KEY}\n` });
  await turn(
    `take ${STORED}`,
    { calls: [run(`echo ${TOKEN} > out.txt; echo ${IN_ENVIRONMENT}`), write] },
    { text: 'ok' },
  );
  expect(
    [session.events(), session.checkpoints(), app.sessions(), host.logged, app.startNotices].map(seenIn),
  ).toEqual([[], [], [], [], []]);
  // The transcripts for hooks, and whatever else stands beside the database.
  const files = readdirSync(storage.path, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !/belay\.db/.test(entry.name) && !entry.parentPath.includes('blobs'),
  );
  const contents = files.map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));
  expect(contents.flatMap(seenIn)).toEqual([]);
});

test('a session is named after its prompt, the secret at the cut taken out', async () => {
  const { turn, session, app } = await lab();
  await turn(`deploy it with the new token, which is as you know ${TOKEN}`, { text: 'ok' });
  expect([session.title, app.sessions()[0]?.title]).toEqual(
    Array(2).fill('deploy it with the new token, which is as you know [redacte…'),
  );
});

test('the log tells no secret', async () => {
  const { host, session, turn } = await lab();
  session.onEvent(() => {
    throw new Error(`no use for ${TOKEN} and ${STORED}`);
  });
  await turn('x', { text: 'done' });
  expect(host.logged[0]).toContain('no use for [redacted: GitHub token] and [redacted: stored key]');
  expect(seenIn(host.logged)).toEqual([]);
});

test('a secret that the bound of a display would cut in two is taken out before', async () => {
  const { turn, told } = await lab({
    workspace: {
      'long.txt': `${'word '.repeat(200)}\n`.repeat(3) + `${'x '.repeat(460)}${TOKEN}\n`.repeat(4),
    },
  });
  await turn('x', { calls: [call('c1', 'read_file', { path: 'long.txt' })] }, { text: 'ok' });
  const write = call('c2', 'write_file', { path: 'new.txt', content: `${'y '.repeat(490)}${TOKEN}\n` });
  await turn('x', { calls: [write] }, { text: 'ok' });
  const print = run(`cat - <<< "$(for i in $(seq 1 400); do echo 'printed ${TOKEN}'; done)"`);
  await turn('x', { calls: [print] }, { text: 'ok' });
  expect(JSON.stringify(told)).not.toContain(TOKEN.slice(0, 14));
});
