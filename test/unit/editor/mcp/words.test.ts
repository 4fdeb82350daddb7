import { expect, test } from 'vitest';
import { acceptanceWords, decisionWords, stateWords } from '#editor/mcp/words';
import { serverQuestion, serverRow, toolRow } from '#test/support/mcp-rows';

test('a server that runs tells how many tools it offers and how many are left out', () => {
  const tools = [
    toolRow(),
    toolRow({ state: 'changed' }),
    toolRow({ state: 'broken' }),
    toolRow({ state: 'off' }),
  ];
  expect([stateWords(serverRow({ tools })), stateWords(serverRow())]).toEqual([
    '1 tool · 2 left out',
    '0 tools',
  ]);
});

test('the question of a server shows its place and its command with nothing hidden, and no link', () => {
  const row = serverRow({ target: 'sh -c "[Allow](command:x)\u202e"' });
  expect([
    acceptanceWords(serverQuestion(), row),
    acceptanceWords(serverQuestion({ before: '{}' }), serverRow({ place: { kind: 'user' } })),
  ]).toEqual([
    'The MCP server files of .mcp.json wants to start: sh -c "[Allow]\\u{28}command:x)\\u{202e}"',
    'The MCP server files of your settings has changed and wants to start: npx -y server-files',
  ]);
});

test('the question of tools says what happens to them until it is answered', () => {
  expect(acceptanceWords(serverQuestion({ about: 'tools', before: '[]' }), serverRow())).toBe(
    'Tools of the MCP server files are not what you accepted: they are left out.',
  );
});

test('a server’s name can’t pretend to be the question', () => {
  const server = 'good start?\n\nShall [x](command:y)';
  expect(decisionWords(serverQuestion({ server }))).toBe(
    'Shall the MCP server good start? Shall [x]\\u{28}command:y) start as shown?',
  );
});
