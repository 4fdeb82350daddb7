import { expect, test } from 'vitest';
import { ToolRegistry } from '#editor/extensions/registry';

const call = { signal: new AbortController().signal, onProgress: () => undefined };

function lab() {
  const warned: string[] = [];
  const installed = new Map(
    ['Acme.Jira', 'acme-jira.x', 'acme.jira-x', 'belay.belay'].map((id) => [id.toLowerCase(), id]),
  );
  const registry = new ToolRegistry({
    own: 'belay.belay',
    extensionId: (id) => installed.get(id.toLowerCase()),
    warn: (message) => warned.push(message),
  });
  return { registry, warned };
}

function tool(more: object = {}) {
  return {
    extension: 'acme.jira',
    name: 'find_issue',
    description: 'Finds an issue.',
    inputSchema: { type: 'object', properties: { key: { type: 'string' } } },
    execute: () => 'found',
    ...more,
  };
}

test('a tool is offered under its extension’s name until it is taken back, twice or once', async () => {
  const { registry } = lab();
  const registered = registry.register(tool());
  const [offered] = registry.list();
  expect([registered.name, offered?.owner, await offered?.invoke({}, call)]).toEqual([
    'ext__acme_jira__find_issue',
    'Acme.Jira',
    'found',
  ]);
  registered.dispose();
  registered.dispose();
  expect(registry.list()).toEqual([]);
});

test.each<[string, unknown, RegExp]>([
  ['nothing', undefined, /the tool must be an object/],
  ['a list', [tool()], /the tool must be an object/],
  ['a name with capitals', tool({ name: 'FindIssue' }), /name must be/],
  ['a name that is too long', tool({ name: 'x'.repeat(41) }), /name must be/],
  ['no description', tool({ description: '  ' }), /description must be/],
  ['an execute that is none', tool({ execute: 'rm' }), /execute must be a function/],
  ['touches that are none', tool({ touches: [] }), /touches must be a function/],
  ['a schema that is a word', tool({ inputSchema: 'object' }), /inputSchema must be an object/],
  ['a schema of a list', tool({ inputSchema: { type: 'array' } }), /must describe an object/],
  ['a schema without end', tool({ inputSchema: endless() }), /circular/i],
  [
    'a huge schema',
    tool({ inputSchema: { type: 'object', description: 'x'.repeat(70_000) } }),
    /at most 65536/,
  ],
  ['a time limit of nothing', tool({ timeoutMs: 0 }), /timeoutMs must be/],
  [
    'an extension that isn’t there',
    tool({ extension: 'who.ever' }),
    /no other extension "who.ever" is installed/,
  ],
  ['our own name', tool({ extension: 'Belay.belay' }), /no other extension/],
  [
    'a getter that throws',
    {
      ...tool(),
      get description() {
        throw new Error('boo');
      },
    },
    /boo/,
  ],
])('%s is refused in words for the author, and the log has them', (_what, given, words) => {
  const { registry, warned } = lab();
  expect(() => registry.register(given)).toThrow(words);
  expect([registry.list(), warned]).toEqual([[], [expect.stringMatching(words)]]);
});

function endless(): object {
  const schema: Record<string, unknown> = { type: 'object' };
  schema['self'] = schema;
  return schema;
}

test('a name that is taken stays with who has it, and both owners are named to the caller and in the log', () => {
  const { registry, warned } = lab();
  registry.register(tool({ extension: 'acme.jira-x', execute: () => 'first' }));
  const second = () => registry.register(tool({ extension: 'acme-jira.x' }));
  expect(second).toThrow(
    'ext__acme_jira_x__find_issue of acme-jira.x is left out, the name is taken by acme.jira-x',
  );
  expect([registry.list().map(({ owner }) => owner), warned.length]).toEqual([['acme.jira-x'], 1]);
});

test('what is changed after registering changes nothing', async () => {
  const { registry } = lab();
  const given = tool({ capabilities: ['network'], risk: 'execute' });
  registry.register(given);
  given.inputSchema.properties = { key: { type: 'string' }, more: {} } as never;
  Object.assign(given, { execute: () => 'other', risk: 'read', description: 'Other.' });
  (given as { capabilities?: string[] }).capabilities?.splice(0);
  const [offered] = registry.list();
  expect({ ...offered, result: await offered?.invoke({}, call) }).toMatchObject({
    description: 'Finds an issue.',
    inputSchema: { type: 'object', properties: { key: { type: 'string' } } },
    declared: { risk: 'execute', capabilities: ['network'] },
    result: 'found',
  });
});

test('one extension has a hundred tools at most, and room again when it takes one back', () => {
  const { registry } = lab();
  const registered = Array.from({ length: 100 }, (_, index) =>
    registry.register(tool({ name: `t${index}` })),
  );
  const more = () => registry.register(tool({ name: 'one_more' }));
  expect(more).toThrow(/has 100 tools already/);
  registered[0]?.dispose();
  expect([more().name, registry.list().length]).toEqual(['ext__acme_jira__one_more', 100]);
});

test('a tool that was taken back doesn’t run, and taking it back again leaves its successor alone', async () => {
  const { registry } = lab();
  const first = registry.register(tool());
  const [held] = registry.list();
  first.dispose();
  registry.register(tool({ execute: () => 'successor' }));
  first.dispose();
  await expect(held?.invoke({}, call)).rejects.toThrow('Acme.Jira has taken this tool back; it did not run');
  expect(await registry.list()[0]?.invoke({}, call)).toBe('successor');
});

test('a call that runs while its tool is taken back comes to its end', async () => {
  const { registry } = lab();
  const end = Promise.withResolvers<string>();
  const registered = registry.register(tool({ execute: () => end.promise }));
  const running = registry.list()[0]?.invoke({}, call);
  registered.dispose();
  end.resolve('ended');
  expect(await running).toBe('ended');
});
