import { expect, test } from 'vitest';
import { legalName } from '#addons/mcp/tools/names';
import { sha256 } from '#base/hash';
import { call, coreLab } from '#test/support/core-lab';
import { eventually } from '#test/support/eventually';
import { nodeServer, oddServer } from '#test/support/mcp/peers';
import { tempFolder } from '#test/support/temp-folder';

const POINT = { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] };
const TOOLS = [
  {
    name: 'good',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string', maxLength: 5 } },
      required: ['path'],
    },
  },
  {
    name: 'refs',
    inputSchema: { type: 'object', properties: { at: { $ref: '#/$defs/p' } }, $defs: { p: POINT } },
  },
  {
    name: 'union',
    inputSchema: {
      anyOf: [POINT, { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }],
    },
  },
  { name: 'untyped', inputSchema: { properties: { a: {} } } },
  { name: 'types', inputSchema: { type: 'object', properties: { a: { type: ['string', 'null'] } } } },
  { name: 'more', inputSchema: { type: 'object', additionalProperties: { type: 'string' } } },
  {
    name: 'format',
    inputSchema: {
      type: 'object',
      properties: { at: { type: 'string', format: 'uri' }, $top: { type: 'integer' } },
    },
  },
  { name: 'schema', inputSchema: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' } },
  { name: 'recursive', inputSchema: { type: 'object', properties: { child: { $ref: '#' } } } },
  {
    name: 'external',
    inputSchema: { type: 'object', properties: { a: { $ref: 'https://example.com/a.json' } } },
  },
];

async function lab() {
  const folder = tempFolder({ 'tools.json': JSON.stringify(TOOLS) });
  const server = nodeServer(oddServer('listing-server.ts'), folder.at('tools.json'));
  const made = await coreLab({
    settings: {
      mcpServers: { s: server },
      mode: 'allow',
      permissions: { deny: [], allow: ['mcp__s'], ask: [] },
    },
  });
  await eventually(() => expect(made.app.mcp.servers()[0]?.state).toBe('ready'));
  return made;
}

const named = (tool: string) => legalName({ server: 's', tool });

test('MC-07 of a real server’s odd schemas one costs its own tool alone, with a reason that the view shows', async () => {
  const made = await lab();
  expect(made.app.mcp.servers()[0]?.tools.map(({ original, state, why }) => [original, state, why])).toEqual([
    ...TOOLS.slice(0, -1).map(({ name }) => [name, 'on', undefined]),
    [
      'external',
      'broken',
      'its input schema can’t be used: it refers to a schema elsewhere (https://example.com/a.json), which is not fetched',
    ],
  ]);
});

test('MC-07 arguments reach the server in its own form, and what doesn’t fit its schema doesn’t reach it', async () => {
  const made = await lab();
  const wanted = ['good', 'union', 'format', 'recursive'];
  await made.turn(
    'call them',
    { calls: [call('s', 'search_tools', { query: `select:${wanted.map(named).join(',')}` })] },
    {
      calls: [
        call('a', named('good'), { path: 'a.txt' }),
        call('b', named('union'), { arguments: { name: 'n' } }),
        call('c', named('format'), { [`_top_${sha256('$top').slice(0, 10)}`]: 3 }),
        call('d', named('recursive'), { child: { child: {} } }),
        call('e', named('good'), { path: 'too long' }),
        call('f', named('union'), { arguments: { x: 'one' } }),
      ],
    },
    { text: 'done' },
  );
  expect(
    made
      .results()
      .slice(-6)
      .map(({ status, code, content }) => [status, code, content]),
  ).toEqual([
    ['success', undefined, '{"path":"a.txt"}'],
    ['success', undefined, '{"name":"n"}'],
    ['success', undefined, '{"$top":3}'],
    ['success', undefined, '{"child":{"child":{}}}'],
    [
      'error',
      'invalid_arguments',
      `${named('good')}: the arguments don't fit: path: it may have at most 5 characters. Correct them and call again.`,
    ],
    [
      'error',
      'invalid_arguments',
      `${named('union')}: the arguments don't fit: x: it must be number, not string (the nearest of 2 forms). Correct them and call again.`,
    ],
  ]);
});
