import { describe, expect, test } from 'vitest';
import { deferredTool } from '#test/support/contribution';
import { rankTools } from '#tools/session/search-tools-ranking';
import type { ToolDefinition } from '#tools/tool';

const tool = (name: string, change: Partial<ToolDefinition> = {}) =>
  deferredTool(name, { description: 'nothing', ...change });
const found = (tools: readonly ToolDefinition[], query: string) =>
  rankTools(tools, query).map((each) => each.tool.name);

const FIELDS: readonly ToolDefinition[] = [
  tool('said', { description: 'Opens an invoice' }),
  tool('hinted', { searchMetadata: { searchHint: 'for the invoice of a month' } }),
  tool('tagged', { searchMetadata: { tags: ['money', 'invoice'] } }),
  tool('aliased', { searchMetadata: { aliases: ['invoice_reader'] } }),
  tool('get_invoice'),
  tool('other'),
];

test('a name weighs more than an alias, a tag, a hint and a description, in that order', () => {
  const order = ['get_invoice', 'aliased', 'tagged', 'hinted', 'said'];
  expect(found(FIELDS, 'invoice')).toEqual(order);
  expect(found([...FIELDS].reverse(), 'invoice')).toEqual(order);
});

test('tools that a query fits equally stand by name, however they came', () => {
  const names = ['mcp__b__read', 'mcp__a__read', 'Read_x', 'a_read', 'b_read'];
  const order = ['Read_x', 'a_read', 'b_read', 'mcp__a__read', 'mcp__b__read'];
  for (let turn = 0; turn < names.length; turn++) {
    const turned = [...names.slice(turn), ...names.slice(0, turn)];
    expect(
      found(
        turned.map((name) => tool(name)),
        'read',
      ),
    ).toEqual(order);
  }
});

test('a tool that more words of the query fit comes before one that fewer fit', () => {
  const tools = [
    tool('mcp__git__create_tag'),
    tool('mcp__git__create_pull_request'),
    tool('list_pull_requests'),
  ];
  expect(found(tools, 'create a pull request')).toEqual([
    'mcp__git__create_pull_request',
    'list_pull_requests',
    'mcp__git__create_tag',
  ]);
});

describe('words are found', () => {
  test.each([
    ['of camelCase', 'searchCodebase', 'codebase'],
    ['of camelCase as one', 'getGitHubIssue', 'github'],
    ['behind capitals', 'parseHTTPResponse', 'response'],
    ['between - and _', 'list-open_issues', 'open'],
    ['by their beginning', 'mcp__x__screenshot', 'screen'],
    ['in their middle', 'mcp__x__screenshot', 'shot'],
    ['of many as of one', 'create_issue', 'issues'],
    ['of one as of many', 'list_issues', 'issue'],
    ['with accents or without', 'find_cafe', 'CAFÉ'],
    ['whatever their case', 'FIND_ME', 'find'],
  ])('%s', (_what, name, query) => {
    expect(found([tool('other'), tool(name)], query)).toEqual([name]);
  });

  test.each([
    ['搜索文件', '在工作区搜索文件内容'],
    ['文件搜索', '搜索所有文件'],
    ['図', '図を描く'],
    ['파일', '파일을 읽는다'],
    ['éléments', 'Liste des elements'],
  ])('%s in "%s"', (query, description) => {
    expect(found([tool('other'), tool('it', { description })], query)).toEqual(['it']);
  });
});

test('single letters and words without a meaning find nothing that is meant otherwise', () => {
  const tools = [tool('apply'), tool('a'), tool('format_all', { description: 'for all of them' })];
  expect(found(tools, 'a')).toEqual(['a']);
  expect(found(tools, 'a tool to format')).toEqual(['format_all']);
  expect(found(tools, '?! …')).toEqual([]);
});

test('tools named like what every object has are found and nothing else is', () => {
  const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString'];
  const tools = names.map((name) => tool(name));
  expect(names.map((name) => found(tools, name)[0])).toEqual(names);
  expect(found(tools, 'valueOf')).toEqual([]);
});

test('1,000 tools that say as much as they can cost a bounded time and memory, and hide nothing', () => {
  const noise = 'needle '.repeat(10) + 'x'.repeat(1_000_000);
  const tags = Array.from({ length: 100_000 }, (_, index) => `tag${index}`);
  const strange = [null, 7, {}, ['nested']] as unknown as string[];
  const hostile = Array.from({ length: 1000 }, (_, index) =>
    tool(`mcp__flood__t${index}`, {
      description: noise,
      searchMetadata: { tags, aliases: strange, searchHint: noise },
    }),
  );
  const tools = [...hostile, tool('mcp__good__needle')];
  const began = process.cpuUsage();
  expect(found(tools, `needle ${'word '.repeat(1000)}`)[0]).toBe('mcp__good__needle');
  expect(rankTools(tools, 'tag99999')).toEqual([]);
  // All of it would be 200 million words: minutes.
  expect(process.cpuUsage(began).user).toBeLessThan(20_000_000);
});

test('metadata of the wrong type is left out, and the name still counts', () => {
  const odd = { aliases: 'find', tags: 7, searchHint: ['x'] } as never;
  const broken = tool('mcp__x__find', { description: undefined as never, searchMetadata: odd });
  expect(found([broken], 'find')).toEqual(['mcp__x__find']);
});
