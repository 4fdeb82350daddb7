import { expect, test } from 'vitest';
import { extensionTools } from '#addons/extensions/extensions';
import type { ExtensionTool } from '#host/extension-tools';
import { call, coreLab } from '#test/support/core-lab';
import { memoryHost } from '#test/support/memory-host';
import { toolBench } from '#test/support/tool-context';
import type { ToolDefinition } from '#tools/tool';

function offered(more: Partial<ExtensionTool> = {}): ExtensionTool {
  return {
    name: 'lm__weather',
    owner: 'acme.sky',
    description: 'Tells the weather.',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    aliases: [],
    tags: [],
    timeLimit: 60_000,
    invoke: async () => 'sunny',
    ...more,
  };
}

/** The tool as the core gets it. */
function brought(more: Partial<ExtensionTool> = {}): ToolDefinition {
  const [tool] = extensionTools({ list: () => [offered(more)] }, memoryHost().log).tools();
  if (!tool) throw new Error('it was left out');
  return tool;
}

test('a tool is deferred, owned, and counts as one that can do everything', () => {
  expect(brought({ aliases: ['sky'], tags: ['web'], searchHint: 'rain' })).toMatchObject({
    name: 'lm__weather',
    risk: 'execute',
    concurrencySafe: false,
    deferred: true,
    origin: { kind: 'extension', id: 'acme.sky' },
    searchMetadata: { aliases: ['sky'], tags: ['web'], searchHint: 'rain' },
  });
});

test('its description is bounded and hides nothing from a person who reads it', () => {
  const { description } = brought({ description: `a\u{e0041}${'x'.repeat(10_000)}` });
  expect([description.slice(0, 11), description.length <= 4000]).toEqual(['a\\u{e0041}x', true]);
});

test('one whose schema can’t be used is left out and told of once; the others stay', () => {
  const host = memoryHost();
  const unusable = [{ type: 'array' }, 'object', { type: 'object', properties: { a: { type: 'what' } } }];
  const tools = [
    ...unusable.map((inputSchema, at) => offered({ name: `lm__${at}`, inputSchema })),
    offered(),
  ];
  const contribution = extensionTools({ list: () => [...tools] }, host.log);
  contribution.look?.();
  expect([contribution.tools().map(({ name }) => name), host.logged.length]).toEqual([
    ['lm__weather'],
    unusable.length,
  ]);
});

test('its input must fit its schema, and nothing that the schema doesn’t name gets in', () => {
  const { inputSchema } = brought();
  const fits = [{ city: 'Bonn' }, { city: 7 }, {}, { city: 'Bonn', more: 1 }].map(
    (input) => inputSchema.safeParse(input).success,
  );
  expect([fits, brought({ inputSchema: undefined }).inputSchema.safeParse({ a: 1 }).success]).toEqual([
    [true, false, false, false],
    false,
  ]);
});

test('each look compares, and tells of changes alone', () => {
  let list: readonly ExtensionTool[] = [offered()];
  const contribution = extensionTools({ list: () => list }, memoryHost().log);
  let told = 0;
  contribution.onDidChange(() => {
    told += 1;
  });
  contribution.look?.();
  list = [...list];
  contribution.look?.();
  const before = told;
  list = [...list, offered({ name: 'lm__other' })];
  contribution.look?.();
  expect([before, told, contribution.tools().map(({ name }) => name)]).toEqual([
    0,
    1,
    ['lm__weather', 'lm__other'],
  ]);
});

test('of ten thousand tools a thousand are taken', () => {
  const many = Array.from({ length: 10_000 }, (_, at) => offered({ name: `lm__t${at}` }));
  const host = memoryHost();
  expect(extensionTools({ list: () => many }, host.log).tools()).toHaveLength(1000);
  expect(host.logged).toEqual(['warn extensions: 9000 of 10000 tools are left out']);
});

test('people read whose it is before what it says of itself, and see the whole input', async () => {
  const declared = { concurrencySafe: false, summarize: () => 'harmless\nreally\u202e' };
  const tool = brought({ declared });
  const bench = toolBench();
  const input = { city: 'B\u200bonn' };
  expect([tool.summarize(input), await tool.preview?.(input, bench.context)]).toEqual([
    'lm__weather of acme.sky: harmless really\u202e {"city":"B\u200bonn"}',
    {
      kind: 'json',
      title: 'lm__weather',
      body: '{\n  "city": "B\\u{200b}onn"\n}',
      fields: [{ key: 'Extension', value: 'acme.sky' }],
    },
  ]);
  const throws = () => {
    throw new Error('no');
  };
  expect(brought({ declared: { concurrencySafe: false, summarize: throws } }).summarize(input)).toBe(
    'lm__weather of acme.sky: {"city":"B\u200bonn"}',
  );
});

const saying = (touches: (input: unknown) => unknown) =>
  brought({ declared: { risk: 'read', capabilities: ['filesystem.read'], concurrencySafe: true, touches } });

test('what it would touch is parsed, and a file outside the folder is unusual', async () => {
  const tool = saying(() => [
    { kind: 'read', path: 'a.txt' },
    { kind: 'write', path: '/etc/passwd' },
  ]);
  const { context } = toolBench({ 'a.txt': '' });
  expect([await tool.touches({}, context), await tool.concerns?.({}, context)]).toEqual([
    [
      { kind: 'read', path: 'a.txt' },
      { kind: 'write', path: '/etc/passwd', operation: 'modify' },
    ],
    ['/etc/passwd is not in this folder'],
  ]);
});

test.each<[string, () => unknown]>([
  ['no list', () => 'a.txt'],
  ['a command', () => [{ kind: 'execute', command: 'ls', cwd: '.', network: false, description: '' }]],
  ['a path that is none', () => [{ kind: 'read', path: 7 }]],
  ['too much', () => Array(101).fill({ kind: 'read', path: 'a' })],
  [
    'an error',
    () => {
      throw new Error('boo');
    },
  ],
  [
    'what throws when it is read',
    () => [
      {
        kind: 'read',
        get path() {
          throw new Error('boo');
        },
      },
    ],
  ],
])('a tool that answers %s when asked what it would touch doesn’t run', async (_what, touches) => {
  const tool = saying(touches);
  await expect(tool.touches({}, toolBench().context)).rejects.toThrow(
    /^lm__weather: acme\.sky could not say what this call would touch \(.+\), so it did not run/,
  );
});

test('a call without the gates’ word runs nothing', async () => {
  let ran = false;
  const tool = brought({
    invoke: async () => {
      ran = true;
    },
  });
  const { context } = toolBench();
  await expect(tool.execute({}, { ...context, authorized: false })).rejects.toThrow(/did not pass the gates/);
  expect(ran).toBe(false);
});

test('a call that takes too long is told to stop, and the model that it may still run', async () => {
  let stopped = false;
  const tool = brought({
    timeLimit: 10,
    invoke: (_input, { signal }) =>
      new Promise(() => {
        signal.addEventListener('abort', () => {
          stopped = true;
        });
      }),
  });
  expect([await tool.execute({ city: 'x' }, toolBench().context), stopped]).toEqual([
    {
      version: 1,
      status: 'error',
      code: 'timed_out',
      retryable: false,
      content: expect.stringMatching(/^lm__weather: it did not end within 0 s and was told to stop; it may/),
    },
    true,
  ]);
});

test('what it throws comes in its words, without a stack, whatever was thrown', async () => {
  const { context } = toolBench();
  const failing = (thrown: unknown) =>
    brought({
      invoke: () => {
        throw thrown;
      },
    })
      .execute({ city: 'x' }, context)
      .catch((error: Error) => error.message);
  expect(
    await Promise.all([failing(new Error('no \u202eroute')), failing('a word'), failing(undefined)]),
  ).toEqual([
    'lm__weather: failed: no \\u{202e}route',
    'lm__weather: failed: a word',
    'lm__weather: failed: undefined',
  ]);
});

test('its progress is one bounded line, and what is no text is none', async () => {
  const lines: string[] = [];
  const tool = brought({
    invoke: async (_input, { onProgress }) => {
      onProgress('x'.repeat(1000));
      onProgress(7 as never);
    },
  });
  await tool.execute({ city: 'x' }, { ...toolBench().context, onProgress: (line) => lines.push(line) });
  expect([lines.length, (lines[0] ?? '').length <= 201]).toEqual([1, true]);
});

test('no word of its own hides the input: it stands whole in the line that a notification shows, however long', () => {
  const declared = { concurrencySafe: false, summarize: () => `harmless ${'x'.repeat(5000)}` };
  const city = `Bonn${'y'.repeat(5000)}; and delete everything`;
  const summary = brought({ declared }).summarize({ city });
  expect([summary.endsWith(JSON.stringify({ city })), summary.length < 5500]).toEqual([true, true]);
});

test('what it is asked about its input changes nothing of it', async () => {
  const change = (input: unknown) => {
    (input as { city: string }).city = 'changed';
    return [];
  };
  const summarize = (input: unknown) => String(change(input));
  const tool = brought({ declared: { concurrencySafe: false, touches: change, summarize } });
  const input = { city: 'Bonn' };
  await tool.touches(input, toolBench().context);
  tool.summarize(input);
  expect(input).toEqual({ city: 'Bonn' });
});

test('choices and references in a schema are kept: the model is shown them, and the input must fit them', () => {
  const { inputSchema } = brought({
    inputSchema: {
      type: 'object',
      properties: { at: { $ref: '#/$defs/place' } },
      anyOf: [{ required: ['at'] }, { required: ['everywhere'] }],
      $defs: { place: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
    },
  });
  const inputs = [{ at: { city: 'Bonn' } }, { everywhere: true }, { at: {} }, {}];
  expect(inputs.map((input) => inputSchema.safeParse(input).success)).toEqual([true, true, false, false]);
});

test('what throws again when it is looked at is a failure like any other', async () => {
  const error = new Error('x');
  Object.defineProperty(error, 'message', {
    get() {
      throw error;
    },
  });
  const evil: object = new Proxy(
    {},
    {
      get() {
        throw evil;
      },
      getPrototypeOf() {
        throw evil;
      },
    },
  );
  const lab = await coreLab({
    extensionTools: {
      list: () =>
        [error, evil].map((thrown, at) =>
          offered({
            name: `lm__throws${at}`,
            invoke: async () => {
              throw thrown;
            },
          }),
        ),
    },
    settings: { permissions: { allow: ['lm__*'], ask: [], deny: [] } },
  });
  const names = ['lm__throws0', 'lm__throws1'];
  const ended = await lab.turn(
    'go',
    { calls: [call('s', 'search_tools', { query: `select:${names.join(',')}` })] },
    ...names.map((name, at) => ({ calls: [call(`c${at}`, name, { city: 'Bonn' })] })),
    { text: 'done' },
  );
  const [, ...results] = lab.results().map(({ status, content }) => [status, content]);
  expect([ended, results]).toEqual([
    'done',
    names.map((name) => ['error', `${name}: failed: an error without words`]),
  ]);
});

test('a schema that would make endless work ends within bounds', () => {
  const input = (schema: object) => ({ type: 'object', properties: { city: schema } });
  const slow = brought({ inputSchema: input({ type: 'string', pattern: '^(a+)+$' }) });
  const again = { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] };
  const cyclic = { ...input({ $ref: '#/$defs/a' }), $defs: { a: again } };
  const endless = extensionTools({ list: () => [offered({ inputSchema: cyclic })] }, memoryHost().log);
  const city = `${'a'.repeat(5000)}!`;
  expect([
    typeof slow.inputSchema.safeParse({ city }).success,
    endless.tools().map(({ inputSchema }) => inputSchema.safeParse({ city }).success),
  ]).toEqual(['boolean', [false]]);
});
