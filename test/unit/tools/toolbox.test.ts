import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Capability } from '#protocol/tool-call';
import { BUILTIN_TOOLS } from '#tools/builtin';
import { effectiveRisk } from '#tools/risk';
import { schemaOf } from '#tools/schema';
import type { ToolDefinition } from '#tools/tool';
import { createToolbox, viewOf, withTools } from '#tools/toolbox';

function tool(name: string, change: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    name,
    description: `Does ${name}`,
    risk: 'read',
    capabilities: [],
    concurrencySafe: true,
    inputSchema: z.strictObject({}),
    origin: { kind: 'built-in' },
    touches: async () => [],
    summarize: () => name,
    execute: async () => name,
    ...change,
  };
}

const shown = { mode: 'workspace-write', simple: false, artifacts: false } as const;

test('a name used twice among our own tools fails and names both owners', () => {
  const second = tool('a', { origin: { kind: 'plugin', id: 'p' } });
  expect(() => createToolbox([tool('a'), second])).toThrow('two tools are named a: Belay and the plugin p');
  expect(() => createToolbox([tool('Bad-Name')])).toThrow('"Bad-Name" of Belay is not a legal tool name');
});

test('an outside tool that collides is dropped and reported; the table before stays as it was', () => {
  const table = createToolbox([tool('a')]);
  const added = withTools(table, [
    tool('a', { origin: { kind: 'mcp', server: 's', tool: 't' } }),
    tool('b', { origin: { kind: 'extension', id: 'x.y' } }),
    tool('b', { origin: { kind: 'mcp', server: 's', tool: 't' } }),
    tool('mcp__s__t', { origin: { kind: 'extension', id: 'x.y' } }),
    tool('B!', { origin: { kind: 'mcp', server: 's', tool: 't' } }),
  ]);
  expect(added.dropped).toEqual([
    { name: 'a', kept: 'Belay', dropped: 'the MCP server s' },
    { name: 'b', kept: 'the extension x.y', dropped: 'the MCP server s' },
    { name: 'mcp__s__t', kept: 'MCP servers: their names begin so', dropped: 'the extension x.y' },
    { name: 'B!', kept: 'nobody: the name is not legal', dropped: 'the MCP server s' },
  ]);
  expect([
    table.version,
    table.tools.length,
    added.table.version,
    added.table.tools.map(({ name }) => name),
  ]).toEqual([1, 1, 2, ['a', 'b']]);
  expect(added.table.get('b')?.origin).toEqual({ kind: 'extension', id: 'x.y' });
});

test('MC-06 outside names are what every provider takes, and none that a person or a rule takes for ours', () => {
  const table = createToolbox([tool('read_file')]);
  const good = ['mcp__x__readFile-2', '_x', 'X', '__proto__', 'constructor', 'a'.repeat(64)];
  const bad = ['', '1a', '-a', 'a.b', 'a b', 'ä', 'a'.repeat(65), 'a\n', 'Read_File', 'read-file', 'Bash'];
  const origin = { kind: 'mcp', server: 's', tool: 't' } as const;
  const added = withTools(
    table,
    [...good, ...bad].map((name) => tool(name, { origin })),
    (name) => name === 'Bash',
  );
  expect(added.table.tools.map(({ name }) => name)).toEqual(['read_file', ...good]);
  expect(added.dropped.map(({ name }) => name)).toEqual(bad);
  expect([added.table.get('toString'), added.table.get('constructor')?.name]).toEqual([
    undefined,
    'constructor',
  ]);
});

test('an outside tool that no request could carry is dropped, a deferred one only when it is looked at', () => {
  const inputSchema = z.string();
  const added = withTools(createToolbox([]), [
    tool('a', { inputSchema }),
    tool('b', { inputSchema, deferred: true }),
  ]);
  expect(added.dropped).toEqual([
    { name: 'a', kept: 'nobody: its input schema is not usable', dropped: 'Belay' },
  ]);
});

test('read-only hides every writer, simple shows exactly three, artifacts bring read_artifact', () => {
  const table = createToolbox(BUILTIN_TOOLS);
  expect(viewOf(table, { ...shown, mode: 'read-only' }).names).toEqual([
    'read_file',
    'search_files',
    'glob_files',
    'todo_write',
    'todo_list',
  ]);
  expect(viewOf(table, { ...shown, simple: true }).names).toEqual(['read_file', 'edit_file', 'run_command']);
  expect(viewOf(table, { ...shown, mode: 'read-only', simple: true }).names).toEqual(['read_file']);
  expect(viewOf(table, shown).has('read_artifact')).toBe(false);
  expect(viewOf(table, { ...shown, artifacts: true }).has('read_artifact')).toBe(true);
  expect(viewOf(table, { ...shown, subagentTools: ['read_file', 'none'] }).names).toEqual(['read_file']);
});

test('a tool that lies about its risk is hidden in read-only mode all the same', () => {
  const { table } = withTools(createToolbox([tool('a')]), [
    tool('liar', { capabilities: ['filesystem.write'] }),
    tool('old', { capabilities: undefined as never }),
  ]);
  expect(viewOf(table, { ...shown, mode: 'read-only' }).names).toEqual(['a']);
});

const FINDER = tool('search_tools');

test('deferred tools are shown once they are activated, in that order, behind all others', () => {
  const lazy = (name: string) => tool(name, { deferred: true });
  const table = createToolbox([lazy('x'), lazy('y'), FINDER, tool('a')]);
  const names = (...activated: string[]) => viewOf(table, { ...shown, activated: new Set(activated) }).names;
  expect([names(), names('y'), names('y', 'x', 'gone')]).toEqual([
    ['search_tools', 'a'],
    ['search_tools', 'a', 'y'],
    ['search_tools', 'a', 'y', 'x'],
  ]);
  const view = viewOf(table, { ...shown, activated: new Set(['y']) });
  expect([view.activated, view.deferred.map(({ name }) => name)]).toEqual([['y'], ['x']]);
});

test('search_tools is shown while there is something to find, in a subagent’s view too', () => {
  const writer = tool('w', { deferred: true, capabilities: ['filesystem.write'] });
  const reader = tool('r', { deferred: true });
  const table = createToolbox([tool('read_file'), FINDER, writer, reader]);
  const seen = (options: Partial<Parameters<typeof viewOf>[1]>) => {
    const view = viewOf(table, { ...shown, ...options });
    return [view.has('search_tools'), view.deferred.map(({ name }) => name).join()];
  };
  expect(seen({})).toEqual([true, 'w,r']);
  expect(seen({ mode: 'read-only' })).toEqual([true, 'r']);
  expect(seen({ mode: 'read-only', forbidden: ['r'] })).toEqual([false, '']);
  expect(seen({ simple: true })).toEqual([false, '']);
  expect(seen({ forbidden: ['search_tools'] })).toEqual([false, 'w,r']);
  expect(seen({ subagentTools: ['read_file'] })).toEqual([false, '']);
  expect(seen({ subagentTools: ['read_file', 'r'] })).toEqual([true, 'r']);
  expect(seen({ activated: new Set(['w', 'r']) })).toEqual([true, '']);
  expect(viewOf(createToolbox(BUILTIN_TOOLS), shown).has('search_tools')).toBe(
    BUILTIN_TOOLS.some(({ deferred }) => deferred),
  );
});

test('equal options give the same view, other tools another hash', () => {
  const table = createToolbox(BUILTIN_TOOLS);
  expect(viewOf(table, { ...shown })).toBe(viewOf(table, { ...shown }));
  expect(viewOf(table, shown).schemaSha256).not.toBe(viewOf(table, { ...shown, simple: true }).schemaSha256);
});

test.each<[Partial<ToolDefinition>, string]>([
  [{ risk: 'read', capabilities: ['filesystem.read'] }, 'read'],
  [{ risk: 'read', capabilities: ['filesystem.write'] }, 'workspace-write'],
  [{ risk: 'read', capabilities: ['network'] }, 'execute'],
  [{ risk: 'execute', capabilities: [] }, 'execute'],
  [{ risk: 'read', capabilities: ['session.write'] }, 'read'],
  [{ risk: 'read', capabilities: undefined as never }, 'execute'],
  [{ risk: 'read', capabilities: 'filesystem.read' as never }, 'execute'],
  [{ risk: 'read', capabilities: ['filesystem.read', 'unheard-of' as Capability] }, 'execute'],
  [{ risk: 'nonsense' as never, capabilities: [] }, 'execute'],
])('%j counts as %s', (declared, risk) => {
  expect(effectiveRisk(tool('x', declared)).risk).toBe(risk);
});

const SAFE = [
  'type',
  'description',
  'enum',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
];

test.each(BUILTIN_TOOLS.map((each) => [each.name, each] as const))(
  '%s has a schema that every provider takes',
  (_name, each) => {
    const { inputSchema } = schemaOf(each);
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    const check = (schema: Record<string, unknown>): void => {
      expect(Object.keys(schema).filter((key) => !SAFE.includes(key))).toEqual([]);
      if (schema['type'] === 'object') expect(schema['additionalProperties']).toBe(false);
      for (const inner of Object.values(
        (schema['properties'] ?? {}) as Record<string, Record<string, unknown>>,
      ))
        check(inner);
      if (schema['items']) check(schema['items'] as Record<string, unknown>);
    };
    check(inputSchema as Record<string, unknown>);
  },
);

test('a schema of someone else loses what a provider would reject', () => {
  const strange = z.object({
    kind: z.literal('x'),
    email: z.email(),
    size: z.number().int().positive(),
    either: z.union([z.string(), z.number()]),
    any: z.record(z.string(), z.unknown()),
  });
  expect(schemaOf(tool('x', { inputSchema: strange })).inputSchema).toEqual({
    type: 'object',
    properties: {
      kind: { type: 'string', enum: ['x'] },
      email: { type: 'string' },
      size: { type: 'integer', minimum: 1 },
      either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      any: { type: 'object', additionalProperties: {} },
    },
    required: ['kind', 'email', 'size', 'either', 'any'],
    additionalProperties: false,
  });
  expect(() => schemaOf(tool('y', { inputSchema: z.string() }))).toThrow(
    'y: the input schema must be an object',
  );
});

test('every tool together costs a request at most 9 KB', () => {
  const { schemas } = viewOf(createToolbox(BUILTIN_TOOLS), { ...shown, artifacts: true });
  expect(Buffer.byteLength(JSON.stringify(schemas))).toBeLessThanOrEqual(9 * 1024);
});

test('whatever writes or executes is not safe to run beside others', () => {
  const harmful = BUILTIN_TOOLS.filter((each) => effectiveRisk(each).risk !== 'read');
  expect(harmful.filter((each) => each.concurrencySafe)).toEqual([]);
});
