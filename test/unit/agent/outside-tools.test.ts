import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Contribution } from '#agent/contribution';
import { Emitter } from '#base/emitter';
import { call, coreLab } from '#test/support/core-lab';
import type { ToolDefinition } from '#tools/tool';

/** Somebody else's tool; it isn't deferred, so that a turn needs no search. */
function outsideTool(more: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    name: 'theirs',
    description: 'Does something.',
    risk: 'execute',
    capabilities: [],
    concurrencySafe: false,
    inputSchema: z.strictObject({}),
    origin: { kind: 'extension', id: 'acme.tools' },
    touches: async () => [],
    summarize: () => 'Theirs',
    execute: async () => 'done',
    ...more,
  };
}

function bringing(tools: () => readonly ToolDefinition[], more: Partial<Contribution> = {}): Contribution {
  return {
    name: 'a test',
    tools,
    onDidChange: new Emitter<void>().event,
    dispose: () => undefined,
    ...more,
  };
}

const run = { calls: [call('c1', 'theirs', {})] };
const done = { text: 'done' };

test('what an outside tool returns loses its secrets, and an artifact that it names isn’t its own', async () => {
  const picture = { mediaType: 'image/png', data: 'iVBORw0KGgo=' };
  const returned = {
    version: 1,
    status: 'success',
    content: 'the token is sesame-open-1234',
    images: [picture, { mediaType: 'image/svg+xml', data: 'PHN2Zz4=' }],
    artifact: { id: 'somebody-elses', bytes: 1 },
  };
  const tool = outsideTool({ execute: async () => returned as never });
  const lab = await coreLab({
    settings: { mode: 'allow' },
    core: { contributions: [bringing(() => [tool])] },
  });
  lab.host.keys.set('key', 'sesame-open-1234');
  await lab.turn('go', run, done);
  const [result] = lab.results();
  expect(result).toEqual({
    version: 1,
    status: 'success',
    content: expect.not.stringContaining('sesame'),
    images: [picture],
  });
});

test('what an outside tool says of its call explains nothing: no rule for its host opens it, and the card says that nothing holds it', async () => {
  const tool = outsideTool({ touches: async () => [{ kind: 'reach', host: 'example.com' }] });
  const allow = ['WebFetch(domain:example.com)'];
  const lab = await coreLab({
    settings: { permissions: { deny: [], allow, ask: [] } },
    core: { contributions: [bringing(() => [tool])] },
  });
  await lab.turn('go', run, done);
  const [asked] = lab.host.asked;
  expect({ ...asked, ids: undefined }).toMatchObject({
    tool: 'theirs',
    suggestedRule: 'theirs',
    network: true,
    sandbox: { active: false, words: 'it acts by itself' },
  });
});

test('a rule that denies the host it names denies it', async () => {
  const tool = outsideTool({ touches: async () => [{ kind: 'reach', host: 'example.com' }] });
  const lab = await coreLab({
    settings: { mode: 'allow', permissions: { deny: ['WebFetch(domain:example.com)'], allow: [], ask: [] } },
    core: { contributions: [bringing(() => [tool])] },
  });
  await lab.turn('go', run, done);
  expect(lab.results().map(({ code }) => code)).toEqual(['permission_denied']);
});

test('a rule of its name allows it where there is no sandbox: none would hold it', async () => {
  const lab = await coreLab({
    settings: { sandbox: 'off', permissions: { deny: [], allow: ['theirs'], ask: [] } },
    core: { assumeSandbox: false, contributions: [bringing(() => [outsideTool()])] },
  });
  await lab.turn('go', run, done);
  expect([lab.results().map(({ status }) => status), lab.host.asked]).toEqual([['success'], []]);
});

test('where nothing tells of changes, the addon looks before each request', async () => {
  const changed = new Emitter<void>();
  let installed: readonly ToolDefinition[] = [];
  let offered = installed;
  const look = () => {
    if (offered === installed) return;
    offered = installed;
    changed.emit();
  };
  const contribution = bringing(() => offered, { look, onDidChange: changed.event });
  const lab = await coreLab({ settings: { mode: 'allow' }, core: { contributions: [contribution] } });
  await lab.turn('one', done);
  installed = [outsideTool()];
  await lab.turn('two', run, done);
  expect([
    lab.requests.map(({ tools }) => tools.some(({ name }) => name === 'theirs')),
    lab.results().map(({ content }) => content),
  ]).toEqual([[false, true, true], ['done']]);
});

test('one rule speaks of all tools of an extension, and the trace says that nothing of ours held the call', async () => {
  const named = (name: string) => outsideTool({ name });
  const tools = [named('ext__acme_tools__one'), named('ext__acme_tools__two'), named('ext__acmex__one')];
  const lab = await coreLab({
    settings: {
      permissions: { deny: ['ext__acme_tools__two'], allow: ['ext__acme_tools__*'], ask: [] },
    },
    core: { contributions: [bringing(() => tools)] },
  });
  await lab.turn('go', { calls: tools.map(({ name }, at) => call(`c${at}`, name, {})) }, done);
  const completed = lab.session.events().flatMap((event) => (event.type === 'tool.completed' ? [event] : []));
  const confined = completed[0]?.trace.find(({ stage }) => stage === 'confine');
  expect({
    codes: lab.results().map(({ code, status }) => code ?? status),
    asked: lab.host.asked.map(({ tool }) => tool),
    confined: confined?.why,
  }).toEqual({
    codes: ['success', 'permission_denied', 'permission_denied'],
    asked: ['ext__acmex__one'],
    confined: 'nothing of Belay’s holds it: it acts by itself',
  });
});
