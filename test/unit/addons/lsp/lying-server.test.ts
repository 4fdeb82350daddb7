import { expect, test } from 'vitest';
import { renameSymbol } from '#addons/lsp/rename-symbol';
import type { ServerEdit } from '#host/language/edits';
import type { AbsolutePath } from '#protocol/ids';
import { memoryIntelligence } from '#test/support/memory-intelligence';
import { toolBench } from '#test/support/tool-context';

const FILES = { 'a.ts': 'const area = 1;\n', '.belayignore': 'hidden/\n' };
const INPUT = { path: 'a.ts', line: 1, symbol: 'area', newName: 'surface' };

/** A rename of which the server says this beside the truth. */
async function renamed(lie: (at: (name: string) => AbsolutePath, edit: ServerEdit) => Partial<ServerEdit>) {
  const server = memoryIntelligence();
  const { call, folder, host } = toolBench(FILES, {
    intelligence: {
      ...server,
      async rename(at, newName, signal) {
        const answer = await server.rename(at, newName, signal);
        if (answer.kind !== 'known') return answer;
        return { ...answer, value: { ...answer.value, ...lie(folder.at, answer.value) } };
      },
    },
  });
  server.serve(folder.path, host.dirty);
  const { content } = await call(renameSymbol, INPUT);
  return { lines: content.split('\n'), text: folder.text('a.ts') };
}

test('of very many files, with very long names, that it would move or that are outside a few are told', async () => {
  const far = (n: number) => `/far/${n}/${'x'.repeat(3000)}` as AbsolutePath;
  const { lines, text } = await renamed((at, { files }) => ({
    files: [...files, ...Array.from({ length: 900 }, (_, n) => ({ path: far(n), before: '', changes: [] }))],
    moved: Array.from({ length: 1000 }, (_, n) => ({ path: at(`${n}.ts`), to: at(`to-${n}.ts`) })),
  }));
  expect([text, lines.length, Math.max(...lines.map((line) => line.length)) <= 401, lines[41]]).toEqual([
    'const surface = 1;\n',
    44,
    true,
    'Left out too: 1860 more things that the server would do.',
  ]);
});

test('no name of a place that is hidden is told, wherever a file would move', async () => {
  const { lines } = await renamed((at) => ({ moved: [{ path: at('a.ts'), to: at('hidden/plan.ts') }] }));
  expect(lines[1]).toBe('Not done: moving a file from or to a place that is hidden from you.');
});

test('changes that overlap, or lie outside of the file, are told as that', async () => {
  const at0 = { line: 9, column: 0 };
  const { lines, text } = await renamed((_at, { files }) => ({
    files: files.map((file) => ({ ...file, changes: [{ start: at0, end: at0, text: 'x' }] })),
  }));
  expect([lines, text]).toEqual([
    [
      "rename_symbol: a.ts can't be changed, since the places that the server would change overlap or aren’t in it. Nothing was changed",
    ],
    FILES['a.ts'],
  ]);
});

test('a declaration whose path is none is outside', async () => {
  const server = memoryIntelligence();
  const { call, folder } = toolBench(FILES, {
    intelligence: {
      ...server,
      places: async () => ({
        kind: 'known',
        value: [
          {
            path: '/far/a\0b' as AbsolutePath,
            uri: 'file:///far/a',
            range: { start: { line: 0, column: 0 }, end: { line: 0, column: 1 } },
          },
        ],
      }),
    },
  });
  server.serve(folder.path);
  const { content } = await call(renameSymbol, INPUT);
  expect(content).toMatch(/^rename_symbol: it is defined outside of the workspace/);
});
