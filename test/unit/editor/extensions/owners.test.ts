import { expect, test } from 'vitest';
import { ownersOf } from '#editor/extensions/owners';

const LEFT_OUT = { kind: 'left-out' };

function manifest(id: string, tools: unknown, more: object = {}) {
  return { id, packageJSON: { contributes: { languageModelTools: tools }, ...more } };
}

const weather = { name: 'weather', modelDescription: 'Tells the weather.' };
const listed = { name: 'weather', description: 'Tells the weather.' };

test('a tool belongs to the installed extension whose manifest describes it', () => {
  const ownerOf = ownersOf([manifest('acme.sky', [weather])], 'belay.belay', []);
  expect(ownerOf(listed)).toEqual({ kind: 'offered', id: 'acme.sky' });
});

test.each([
  ['of the editor itself', { name: 'run_in_terminal', description: 'Runs.' }],
  ['whose name a manifest takes without describing it', { ...listed, description: 'Runs commands.' }],
  ['of a server that the editor runs', { name: 'mcp_github_create_issue', description: 'Creates.' }],
])('one %s is left out unless its name is allowed', (_what, tool) => {
  const manifests = [manifest('acme.sky', [weather])];
  expect(ownersOf(manifests, 'belay.belay', [])(tool)).toEqual(LEFT_OUT);
  expect(ownersOf(manifests, 'belay.belay', [tool.name])(tool)).toEqual({ kind: 'offered', id: '' });
});

test.each([
  ['vscode.mermaid', {}, 'weather'],
  ['GitHub.copilot-chat', {}, 'weather'],
  ['acme.sky', { isBuiltin: true }, 'weather'],
  ['acme.sky', {}, 'copilot_weather'],
  ['acme.sky', {}, 'vscode_weather'],
])('%s %j bringing %s is left out unless it is allowed, and then keeps its owner', (id, more, name) => {
  const manifests = [manifest(id, [{ ...weather, name }], more)];
  expect(ownersOf(manifests, 'belay.belay', [])({ ...listed, name })).toEqual(LEFT_OUT);
  expect(ownersOf(manifests, 'belay.belay', [name])({ ...listed, name })).toEqual({ kind: 'offered', id });
});

test('our own are never handed back to us, though their name is allowed', () => {
  const ownerOf = ownersOf([manifest('belay.belay', [weather])], 'belay.belay', ['weather']);
  expect(ownerOf(listed)).toEqual(LEFT_OUT);
});

test('of two that describe it alike nobody knows whose it is', () => {
  const manifests = [manifest('acme.sky', [weather]), manifest('evil.sky', [weather])];
  expect(ownersOf(manifests, 'belay.belay', [])(listed)).toEqual(LEFT_OUT);
});

test('a name ending in a star allows all that begin so; a star alone allows nothing', () => {
  const allowed = (words: readonly string[], name: string) =>
    ownersOf([], 'belay.belay', words)({ name, description: '' }).kind;
  expect([
    allowed(['mcp_github_*'], 'mcp_github_search'),
    allowed(['mcp_github_*'], 'mcp_gitlab_search'),
    allowed(['*'], 'run_in_terminal'),
  ]).toEqual(['offered', 'left-out', 'left-out']);
});

test('manifests of any shape are read', () => {
  const strange: readonly { readonly id: string; readonly packageJSON: unknown }[] = [
    { id: 'a.a', packageJSON: undefined },
    { id: 'b.b', packageJSON: { contributes: null } },
    manifest('c.c', 'none'),
    manifest('d.d', [null, 7, {}, { name: 7 }]),
    manifest('e.e', [{ name: '__proto__', modelDescription: 'x' }]),
  ];
  expect(ownersOf(strange, 'belay.belay', [])(listed)).toEqual(LEFT_OUT);
});
