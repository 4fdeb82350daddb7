import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { legalName } from '#addons/mcp/tools/names';
import { BUILTIN_TOOLS } from '#tools/builtin';

const LONG = 'x'.repeat(90);
const PAIRS = ['my server', 'my.server'].flatMap((server) =>
  ['admin.tools.list', 'a/b', `${LONG}1`, `${LONG}2`, '日本', 'read', 'read_file'].map((tool) => ({
    server,
    tool,
  })),
);

test('MC-06 every name is legal and unique', () => {
  const names = PAIRS.map(legalName);
  expect(names.filter((name) => !/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(PAIRS.length);
});

test('MC-06 a tool called like one of Belay’s own has another name', () => {
  const own = new Set(BUILTIN_TOOLS.map(({ name }) => name));
  expect(['read', 'read_file', 'run_command'].map((tool) => legalName({ server: 'x', tool }))).toEqual([
    'mcp__x__read',
    'mcp__x__read_file',
    'mcp__x__run_command',
  ]);
  expect(PAIRS.map(legalName).filter((name) => own.has(name))).toEqual([]);
});

test('what is legal stays as it is; what is not keeps what can be read of it before a sum', () => {
  const named = (server: string, tool: string) => legalName({ server, tool });
  expect([
    named('github', 'get_issue'),
    named('my-server', 'a__b'),
    named('a', '_b'),
    named('my.server', 'admin.tools.list').replace(/[0-9a-f]{10}$/, '…'),
    named('a_', 'b').replace(/[0-9a-f]{10}$/, '…'),
    named('日本', '日本').replace(/[0-9a-f]{10}$/, '…'),
    named('s'.repeat(100), 't'.repeat(100)).replace(/[0-9a-f]{10}$/, '…'),
  ]).toEqual([
    'mcp__github__get_issue',
    'mcp__my-server__a__b',
    'mcp__a___b',
    'mcp__my_server__admin_tools_list_…',
    'mcp__a___b_…',
    'mcp_______…',
    `mcp__${'s'.repeat(20)}__${'t'.repeat(26)}_…`,
  ]);
});

test('servers whose names make a plain form unclear never share a name', () => {
  const pairs = [
    { server: 'a', tool: 'b__c' },
    { server: 'a__b', tool: 'c' },
    { server: 'a_', tool: 'b' },
    { server: 'a', tool: '_b' },
    { server: 'a', tool: 'b' },
    { server: '_a', tool: 'b' },
  ];
  expect(new Set(pairs.map(legalName)).size).toBe(pairs.length);
});

test('nobody makes another pair’s name by naming a tool like its end', () => {
  const made = legalName({ server: 'my.server', tool: 'x' });
  const forged = { server: 'my_server', tool: made.slice('mcp__my_server__'.length) };
  expect(legalName(forged)).not.toBe(made);
});

test('any two different pairs have different legal names', () => {
  const word = fc.oneof(
    fc.stringMatching(/^[a_-]{1,6}$/),
    fc.string({ minLength: 1, maxLength: 80, unit: 'binary' }),
  );
  void fc.assert(
    fc.property(word, word, word, word, (server, tool, otherServer, otherTool) => {
      const [one, other] = [legalName({ server, tool }), legalName({ server: otherServer, tool: otherTool })];
      expect(one).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
      expect(one === other).toBe(server === otherServer && tool === otherTool);
    }),
    { numRuns: 2000 },
  );
});
