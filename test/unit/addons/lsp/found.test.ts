import { expect, test } from 'vitest';
import { LSP_TOOLS } from '#addons/lsp/tools';
import { BUILTIN_TOOLS } from '#tools/builtin';
import { schemaOf } from '#tools/schema';
import { rankTools } from '#tools/session/search-tools-ranking';

test('each language tool is found by words that a model would use', () => {
  const tools = [...BUILTIN_TOOLS, ...LSP_TOOLS].filter(({ deferred }) => deferred);
  const wishes = {
    'go to definition': 'definition',
    'find all usages of a function': 'references',
    'rename a variable everywhere': 'rename_symbol',
    'quick fix': 'code_actions',
    'organize imports': 'code_actions',
    'format file': 'format',
    'who calls this function': 'call_hierarchy',
    'outline of a file': 'document_symbols',
    'find class by name in project': 'workspace_symbols',
    'subclasses implementing interface': 'implementation',
    'type of variable documentation': 'hover',
  };
  const found = Object.fromEntries(
    Object.keys(wishes).map((wish) => [
      wish,
      rankTools(tools, wish)
        .slice(0, 2)
        .map(({ tool }) => tool.name),
    ]),
  );
  const missed = Object.entries(wishes).filter(([wish, name]) => !found[wish]?.includes(name));
  expect(missed.map(([wish]) => [wish, found[wish]])).toEqual([]);
});

test('their schemas suit every provider, and the one that is always visible is small', () => {
  const sizes = LSP_TOOLS.map((tool) => JSON.stringify(schemaOf(tool)).length);
  expect([
    Math.max(...sizes) < 2000,
    (sizes[0] ?? 0) < 1100,
    LSP_TOOLS.filter(({ deferred }) => !deferred).length,
  ]).toEqual([true, true, 1]);
});
