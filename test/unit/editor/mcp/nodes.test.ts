import { expect, test } from 'vitest';
import {
  childNodes,
  nodeKey,
  placeOf,
  questionOf,
  rootNodes,
  serverFlags,
  serverOf,
  waitingCount,
} from '#editor/mcp/nodes';
import { QuestionLine } from '#editor/questions/line';
import type { McpQuestion, McpServerRow } from '#protocol/mcp';
import { serverQuestion, serverRow, toolRow } from '#test/support/mcp-rows';

function seen(rows: readonly McpServerRow[], questions: readonly McpQuestion[] = []) {
  const problems = [{ file: '.mcp.json', line: 7, message: 'no command' }];
  return { servers: () => rows, questions: () => questions, problems: () => problems };
}

function flags(more: Partial<McpServerRow>, asks?: McpQuestion): string {
  return serverFlags({ kind: 'server', row: serverRow(more), asks });
}

test('what waits for an answer stands first, then the servers with what they ask, then what is wrong', () => {
  const line = new QuestionLine();
  line.add({ from: 'files', sentence: 'files asks', open: async () => undefined, refuse: () => undefined });
  const asks = serverQuestion();
  const nodes = rootNodes(seen([serverRow(), serverRow({ name: 'other' })], [asks]), line);
  expect(nodes.map((node) => (node.kind === 'server' ? [node.row.name, node.asks] : node.kind))).toEqual([
    'question',
    ['files', asks],
    ['other', undefined],
    'problem',
  ]);
});

test('without a core there is nothing but the questions', () => {
  expect(rootNodes(undefined, new QuestionLine())).toEqual([]);
});

test('below a server are its tools, and how many prompts and resources it has, if any', () => {
  const [node] = rootNodes(seen([serverRow({ tools: [toolRow()], resources: 2 })]), new QuestionLine());
  expect(node && childNodes(node).map((child) => [child.kind, 'count' in child && child.count])).toEqual([
    ['tool', false],
    ['count', 2],
  ]);
});

test('the badge counts questions, servers and tools to review, and servers to sign in to', () => {
  const rows = [serverRow({ state: 'sign-in' }), serverRow({ name: 'two', state: 'failed' })];
  expect(waitingCount(seen(rows, [serverQuestion()]), new QuestionLine())).toBe(2);
});

test('the menus of a server offer what its state allows', () => {
  expect([
    flags({ state: 'ready' }),
    flags({ state: 'ready', target: 'https://example.com/mcp' }),
    flags({ state: 'unasked' }, serverQuestion()),
    flags({ state: 'sign-in', target: 'https://example.com/mcp' }),
    flags({ state: 'off' }),
    flags({ state: 'failed' }),
    flags({ state: 'untrusted' }),
    flags({ state: 'rejected' }),
    flags({ tools: [toolRow({ state: 'changed' })] }),
  ]).toEqual([
    'server startable running on',
    'server startable running mayBeSignedIn on',
    'server asks on',
    'server startable running wantsSignIn on',
    'server off',
    'server startable on',
    'server on',
    'server asks on',
    'server asks startable running on',
  ]);
});

test('a command of a row throws for anything else, also for what another extension hands in', () => {
  for (const node of [undefined, 'server', { kind: 'tool' }])
    expect(() => serverOf(node)).toThrow('Try again');
  expect(() => questionOf({ kind: 'server' })).toThrow('Try again');
});

test('a problem leads to its line, one of the settings to them', () => {
  const at = (file: string, line: number) =>
    placeOf({ kind: 'problem', problem: { file, line, message: '' } });
  expect([at('.mcp.json', 7), at('belay.mcp.servers', 0)]).toEqual([
    { kind: 'project', file: '.mcp.json', line: 7 },
    { kind: 'user' },
  ]);
});

test('tools without a usable name have rows of their own: the editor takes no two of one id', () => {
  const nameless = { ...toolRow(), name: '', original: 'twice', state: 'broken' as const };
  const row = serverRow({ tools: [toolRow(), nameless, nameless] });
  const keys = childNodes({ kind: 'server', row, asks: undefined }).map(nodeKey);
  expect(new Set(keys).size).toBe(3);
});
