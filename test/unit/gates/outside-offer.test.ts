import { expect, test } from 'vitest';
import type { GateOutcome } from '#gates/context';
import { explainCommand } from '#gates/explain';
import { walk } from '#gates/pipeline';
import type { AnsweredBy, ApprovalAnswer, ApprovalRequest } from '#protocol/approval';
import type { Mode } from '#protocol/settings';
import { bench, callOf } from './bench';

interface Asking {
  readonly answer?: ApprovalAnswer;
  readonly by?: AnsweredBy;
  readonly mode?: Mode;
  readonly exceptions?: readonly string[];
  readonly failed?: string;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly sandbox?: boolean;
}

const ONCE: ApprovalAnswer = { answer: 'allow-once', withoutSandbox: true };

/** One call of run_command, with what was asked about it. */
async function run(
  command: string,
  asking: Asking = {},
): Promise<{ asked: ApprovalRequest[]; outcome: GateOutcome }> {
  const { answer = ONCE, by = 'panel', failed, exceptions = [], mode, sandbox } = asking;
  const lab = bench({
    ...(mode ? { mode } : {}),
    ...(sandbox === undefined ? {} : { sandbox }),
    rules: { allow: [...(asking.allow ?? [])], deny: [...(asking.deny ?? [])] },
    files: asking.files ?? {},
  });
  const asked: ApprovalRequest[] = [];
  const call = callOf('run_command', JSON.stringify({ command }), 'one');
  const outcome = await walk(call, {
    ...lab.context,
    batch: [call],
    ports: {
      ...lab.context.ports,
      settings: { ...lab.context.ports.settings, sandboxExceptions: [...exceptions] },
    },
    ...(failed === undefined ? {} : { failedInside: (line) => (line === command ? failed : undefined) }),
    ask: async (request) => {
      asked.push(request);
      return { answer, by };
    },
  });
  return { asked, outcome };
}

const confinementOf = ({ outcome }: { outcome: GateOutcome }) =>
  outcome.kind === 'passed' ? outcome.confinement : outcome.result.code;
const offers = ({ asked }: { asked: readonly ApprovalRequest[] }) =>
  asked.map(({ withoutSandbox }) => withoutSandbox?.why);

const HELD = { sandboxed: true, network: false, words: 'sandboxed, no network' };
const OUTSIDE = { sandboxed: false, network: true, once: true, words: 'without sandbox, once' };

test('after a failure that the sandbox explains, the card offers one run without it, and a person may take it', async () => {
  const ran = await run('docker build .', { failed: 'a hidden socket' });
  expect([offers(ran), confinementOf(ran)]).toEqual([['in the sandbox it failed: a hidden socket'], OUTSIDE]);
  expect(ran.outcome.trace.map(({ stage, why }) => `${stage}: ${why}`).slice(-2)).toEqual([
    expect.stringMatching(/^permission: allowed once, without the sandbox \(in the panel\); asked because: /),
    'confine: without sandbox, once',
  ]);
});

test('without a failure and without an exception nothing is offered, and asking for it all the same changes nothing', async () => {
  const ran = await run('docker build .');
  expect([offers(ran), confinementOf(ran)]).toEqual([[undefined], HELD]);
});

test('a person who allows it as it is keeps it in the sandbox', async () => {
  const ran = await run('docker build .', { failed: 'a hidden socket', answer: { answer: 'allow-once' } });
  expect(confinementOf(ran)).toEqual(HELD);
});

test.each([
  ['the notification', ONCE, 'notification'],
  ['a command', ONCE, 'command'],
  ['a script', ONCE, 'script'],
  ['an answer for the session', { answer: 'allow-session', withoutSandbox: true }, 'panel'],
] as const)('%s cannot give it', async (_name, answer, by) => {
  expect(confinementOf(await run('docker build .', { failed: 'a hidden socket', answer, by }))).toEqual(HELD);
});

test('an edited command is another one: it stays in the sandbox', async () => {
  const answer = { ...ONCE, input: { command: 'docker push evil' } };
  expect(confinementOf(await run('docker build .', { failed: 'a hidden socket', answer }))).toEqual(HELD);
});

test.each(['docker compose up -d', 'cd deploy && docker compose up', '/usr/bin/docker compose ps'])(
  'a command of belay.sandbox.exceptions is offered: %s',
  async (command) => {
    const ran = await run(command, { exceptions: ['docker compose:*'] });
    expect([offers(ran), confinementOf(ran)]).toEqual([
      ['the setting belay.sandbox.exceptions names docker compose:*'],
      OUTSIDE,
    ]);
  },
);

test.each(['docker composer', 'echo docker compose', 'docker compose up; $(x', 'npm test'])(
  'what only looks like one is not: %s',
  async (command) => {
    expect(offers(await run(command, { exceptions: ['docker compose:*'] }))).toEqual([undefined]);
  },
);

test('an exception asks where a rule or the mode would not, and no rule takes it out of the sandbox', async () => {
  const exceptions = ['docker compose:*'];
  const byRule = await run('docker compose up', { exceptions, allow: ['Bash(docker compose:*)'] });
  const byMode = await run('docker compose up', {
    exceptions,
    mode: 'allow',
    answer: { answer: 'allow-once' },
  });
  const full = await run('docker compose up', { exceptions, mode: 'danger-full-access' });
  expect([byRule.asked.length, byMode.asked.length, full.asked.length]).toEqual([1, 1, 0]);
  expect(confinementOf(byMode)).toEqual(HELD);
});

test('and the explanation of such a command says that it asks', async () => {
  const { context } = bench({ mode: 'allow' });
  const settings = { ...context.ports.settings, sandboxExceptions: ['docker compose:*'] };
  const explained = await explainCommand(
    { command: 'docker compose up' },
    { ...context, ports: { ...context.ports, settings } },
  );
  expect([explained.verdict, explained.because]).toEqual([
    'ask',
    ['the setting belay.sandbox.exceptions names docker compose:*'],
  ]);
});

test('where there is no sandbox there is nothing to leave', async () => {
  expect(offers(await run('docker build .', { failed: 'a hidden socket', sandbox: false }))).toEqual([
    undefined,
  ]);
});

test('what is forbidden stays forbidden', async () => {
  expect(confinementOf(await run('sudo reboot', { exceptions: ['sudo:*'] }))).toBe('forbidden');
});

test('the card says that what is hidden could be read then; nothing is said where nothing is hidden or offered', async () => {
  const words = 'run without the sandbox, it could read what .belayignore or rules that deny reading hide';
  const said = async (asking: Asking) => {
    const { asked } = await run('docker build .', { answer: { answer: 'allow-once' }, ...asking });
    return asked.map(({ concerns }) => concerns.includes(words));
  };
  const failed = 'a hidden socket';
  const hiding = { files: { '.belayignore': '*.pem\n' } };
  expect([
    await said({ failed, ...hiding }),
    await said({ failed, deny: ['Read(keys/**)'] }),
    await said({ exceptions: ['docker build:*'], ...hiding }),
    await said({ failed, deny: ['Edit(keys/**)'] }),
    await said(hiding),
  ]).toEqual([[true], [true], [true], [false], [false]]);
});
