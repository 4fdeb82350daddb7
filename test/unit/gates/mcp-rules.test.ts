import { expect, test } from 'vitest';
import { z } from 'zod';
import { legalName } from '#addons/mcp/tools/names';
import { parseRule } from '#gates/rules/rule';
import { readRules } from '#gates/rules/sources';
import { namesTool, ruleWords } from '#gates/rules/tool-names';
import { forbiddenTool } from '#gates/settings-files/forbids';
import type { SettingsFile } from '#gates/settings-files/settings-file';
import type { AbsolutePath } from '#protocol/ids';
import type { ToolDefinition } from '#tools/tool';
import { bench } from './bench';

function mcpTool(server: string, tool: string): ToolDefinition {
  return {
    name: legalName({ server, tool }),
    description: 'A tool of a server.',
    risk: 'execute',
    capabilities: [],
    concurrencySafe: false,
    inputSchema: z.strictObject({}),
    origin: { kind: 'mcp', server, tool },
    touches: async () => [],
    summarize: () => 'calls it',
    execute: async () => 'ran',
  };
}

/** Whether a rule's word names a tool when it guards, and when it opens. */
function named(word: string, server: string, tool: string): string {
  const facts = { tool: legalName({ server, tool }), mcp: { server, tool } };
  const [guards, opens] = (['guard', 'allow'] as const).map((strictness) =>
    namesTool(word, facts, strictness),
  );
  return `${guards ? 'guards' : '-'} ${opens ? 'opens' : '-'}`;
}

test.each([
  ['mcp__my.server__admin.tools.list', 'guards opens'],
  ['mcp__my.server', 'guards opens'],
  ['mcp__my.server__*', 'guards opens'],
  ['mcp__my.server__admin.*', 'guards opens'],
  ['mcp__my.*', 'guards opens'],
  ['mcp__*', 'guards opens'],
  ['mcp*', 'guards opens'],
  // As other programs write it; whether another server is called so, a rule that opens can't know.
  ['mcp__my_server__admin_tools_list', 'guards -'],
  ['mcp__my_server', 'guards -'],
  ['mcp__my_server__*', 'guards -'],
  ['mcp__my', '- -'],
  ['mcp__my.server__admin.tools', '- -'],
  ['mcp__my.server__admin', '- -'],
  ['mcp__My.Server', '- -'],
  ['run_command', '- -'],
])('MC-06 the rule %s speaks of the server my.server’s admin.tools.list: %s', (word, expected) => {
  expect(named(word, 'my.server', 'admin.tools.list')).toBe(expected);
});

test('MC-06 the name that the model sees is a name for rules too', () => {
  const name = legalName({ server: 'my.server', tool: 'a/b' });
  expect([
    named(name, 'my.server', 'a/b'),
    named(name, 'my server', 'a/b'),
    named(name, 'my_server', 'a_b'),
  ]).toEqual(['guards opens', '- -', '- -']);
});

test.each([
  ['mcp__a', 'a', 'b__c', 'guards opens'],
  ['mcp__a', 'a__b', 'c', '- -'],
  ['mcp__a__*', 'a', 'b__c', 'guards opens'],
  ['mcp__a__*', 'a__b', 'c', '- -'],
  ['mcp__a__b', 'a', 'b', 'guards opens'],
  ['mcp__a__b', 'a', 'b__c', '- -'],
  // Perhaps meant so: it guards, and doesn't open.
  ['mcp__a__b', 'a__b', 'c', 'guards -'],
  ['mcp__a__b__c', 'a', 'b__c', 'guards opens'],
  ['mcp__a__b__c', 'a__b', 'c', 'guards -'],
  ['mcp__a__b__*', 'a', 'b__c', 'guards opens'],
  ['mcp__a__b__*', 'a__b', 'c', 'guards -'],
  ['mcp__a___b', 'a', '_b', 'guards opens'],
  ['mcp__a___b', 'a_', 'b', 'guards -'],
])('the rule %s speaks of the server %s’s tool %s: %s', (word, server, tool, expected) => {
  expect(named(word, server, tool)).toBe(expected);
});

test('a rule for another server’s made name does not open a tool that was named to look like it', () => {
  const name = legalName({ server: 'my.server', tool: 'x' });
  const forged = name.slice('mcp__my_server__'.length);
  expect(named(name, 'my_server', forged)).toBe('guards -');
});

test('a tool of another kind whose name looks like a server’s is guarded with that server and never opened', () => {
  const facts = { tool: 'mcp__github__get' };
  expect([
    namesTool('mcp__github', facts, 'guard'),
    namesTool('mcp__github', facts, 'allow'),
    namesTool('mcp__github__*', facts, 'allow'),
    namesTool('mcp__github__get', facts, 'allow'),
  ]).toEqual([true, false, false, true]);
});

test.each([
  ['mcp__my server__do it', undefined],
  ['mcp__db (prod)__query', undefined],
  ['mcp__github__get(*)', undefined],
  ['mcp__github__get(x)', 'tools of MCP servers take no brackets; name the tool alone'],
  ['mcp__', 'no server is named; write mcp__* to mean all'],
  ['mcp__g*__get', 'a * may stand only at the end of a tool’s name'],
  ['mcp__git\u200bhub', 'invisible characters stand in it'],
])('the rule %s is read or refused in words', (text, why) => {
  const rule = parseRule(text, 'deny');
  expect(rule.ok ? undefined : rule.error.split("can't be read: ")[1]).toBe(why);
});

test('a rule that opens lets exactly that tool by, and one that denies stops it', async () => {
  const tools = [mcpTool('my.server', 'admin.tools.list'), mcpTool('my_server', 'admin')];
  const outcomes = async (
    rules: { allow?: string[]; deny?: string[] },
    mode: 'workspace-write' | 'allow',
  ) => {
    const gates = bench({ tools, rules, mode });
    const walked = await Promise.all(tools.map(({ name }) => gates.walk(name, {})));
    return walked.map(({ kind }) => kind);
  };
  expect([
    await outcomes({ allow: ['mcp__my.server__admin.tools.list'] }, 'workspace-write'),
    await outcomes({ allow: ['mcp__my_server'] }, 'workspace-write'),
    await outcomes({ deny: ['mcp__my_server__admin'] }, 'allow'),
    await outcomes({ deny: ['mcp__my_server'] }, 'allow'),
  ]).toEqual([
    ['passed', 'stopped'],
    ['stopped', 'passed'],
    ['passed', 'stopped'],
    ['stopped', 'stopped'],
  ]);
});

test('a rule is offered for the tool and for its server, by the names that the server uses', async () => {
  const tools = [mcpTool('my.server', 'admin.tools.list'), mcpTool('a__b', 'c')];
  const gates = bench({ tools, answers: ['deny-once', 'deny-once'] });
  for (const { name } of tools) await gates.walk(name, {});
  const made = legalName({ server: 'a__b', tool: 'c' });
  expect(gates.asked.map(({ suggestedRule, ruleChoices }) => [suggestedRule, ruleChoices])).toEqual([
    ['mcp__my.server__admin.tools.list', ['mcp__my.server__admin.tools.list', 'mcp__my.server']],
    [made, [made]],
  ]);
});

test('an answer for the session holds for that tool alone', async () => {
  const tools = [mcpTool('my.server', 'list'), mcpTool('my.server', 'drop')];
  const answer = { answer: 'allow-session', rule: 'mcp__my.server__list' } as const;
  const gates = bench({ tools, answers: [answer] });
  const kinds: string[] = [];
  for (const { name } of [...tools, ...tools]) kinds.push((await gates.walk(name, {})).kind);
  expect([kinds, gates.asked.length]).toEqual([['passed', 'stopped', 'passed', 'stopped'], 3]);
});

test('what can’t be written in a rule that opens is named by the name that the model sees', () => {
  const words = (server: string, tool: string) => ruleWords({ tool: 'legal', mcp: { server, tool } });
  expect([
    words('ok', 'x*'),
    words('ok', 'f(x)'),
    words('ok', 'a\u202eb'),
    words('db (prod)', 'query'),
    words('a_', 'b'),
    words('ok', 'two words'),
    words('ok', 'end '),
    words('x) + @network', 'y'),
  ]).toEqual([
    { tool: 'legal', server: 'mcp__ok' },
    { tool: 'legal', server: 'mcp__ok' },
    { tool: 'legal', server: 'mcp__ok' },
    { tool: 'legal', server: undefined },
    { tool: 'legal', server: undefined },
    { tool: 'mcp__ok__two words', server: 'mcp__ok' },
    { tool: 'legal', server: 'mcp__ok' },
    { tool: 'legal', server: undefined },
  ]);
});

test('a policy forbids servers and tools by the server’s own names', () => {
  const file = (tools: string[], mcpServers: string[] = []): SettingsFile => ({
    name: 'policy.json',
    path: '/policy.json' as AbsolutePath,
    origin: 'policy',
    dialect: 'belay',
    counts: true,
    rules: readRules('policy.json', { deny: [], allow: [], ask: [] }),
    hooks: undefined,
    forbids: { modes: [], tools, mcpServers, hooks: false },
    problems: [],
  });
  const tool = mcpTool('my.server', 'admin.tools.list');
  expect([
    forbiddenTool(tool, [file(['mcp__my.server'])]),
    forbiddenTool(tool, [file(['mcp__my.server__admin.*'])]),
    forbiddenTool(tool, [file(['mcp__other'])]),
    forbiddenTool(tool, [file([], ['my.server'])]),
  ]).toEqual(['tools: mcp__my.server', 'tools: mcp__my.server__admin.*', undefined, 'mcpServers: my.server']);
});
