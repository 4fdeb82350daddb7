import { expect, test } from 'vitest';
import { editorVault, secretsInside } from '#editor/mcp/vault';

function kept() {
  const stored = new Map<string, string>();
  const hidden: string[] = [];
  return {
    stored,
    hidden,
    vault: editorVault({
      get: async (name) => stored.get(name),
      set: async (name, value) => void stored.set(name, value),
      delete: async (name) => void stored.delete(name),
      hide: (values) => void hidden.push(...values),
    }),
  };
}

test('tokens are kept apart from the providers’ keys and redacted by themselves, before they are stored and when they are read', async () => {
  const { vault, stored, hidden } = kept();
  const tokens = JSON.stringify({
    tokens: { access_token: 'at-12345678', token_type: 'Bearer', scope: 'repo' },
  });
  await vault.set('github', tokens);
  expect([[...stored.keys()], hidden, await vault.get('github'), hidden]).toEqual([
    ['mcp:github'],
    ['at-12345678', 'at-12345678'],
    tokens,
    ['at-12345678', 'at-12345678'],
  ]);
});

test('what is deleted is gone', async () => {
  const { vault, stored } = kept();
  await vault.set('a', 'value');
  await vault.delete('a');
  expect([stored.size, await vault.get('a')]).toEqual([0, undefined]);
});

test('a text that only looks like JSON holds nothing', () => {
  expect([secretsInside('{broken'), secretsInside('plain token'), secretsInside('[]')]).toEqual([[], [], []]);
});
