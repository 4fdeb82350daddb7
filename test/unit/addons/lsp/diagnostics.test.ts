import { expect, test } from 'vitest';
import { diagnostics } from '#addons/lsp/diagnostics';
import { noIntelligence } from '#headless/no-intelligence';
import type { Problem } from '#host/language/problems';
import { call, coreLab } from '#test/support/core-lab';
import { memoryIntelligence } from '#test/support/memory-intelligence';
import { toolBench } from '#test/support/tool-context';

const FILES = {
  'src/a.ts': 'const a = 1;\n',
  'src/b.ts': '  BROKEN = one;\n',
  'test/c.ts': 'BROKEN = two;\n',
  'keys/.env.ts': 'BROKEN = "key-of-the-house";\n',
};

function bench() {
  const intelligence = memoryIntelligence();
  const made = toolBench(FILES, { intelligence });
  intelligence.serve(made.folder.path, made.host.dirty);
  return { ...made, intelligence };
}

test('problems of a file, of a folder and of the workspace, without those of files that are kept', async () => {
  const { call } = bench();
  const lines = async (input: object) => (await call(diagnostics, input)).content.split('\n');
  expect([await lines({ path: 'src/b.ts' }), await lines({ path: 'test' }), await lines({})]).toEqual([
    ['1 error in 1 file:', 'src/b.ts', '  1:3 error: BROKEN = one; (toy 1)'],
    [
      '1 error in 1 file:',
      'test/c.ts',
      '  1:1 error: BROKEN = two; (toy 1)',
      expect.stringMatching(/^Looked at: 1 of 1 TypeScript files without one/),
    ],
    [
      '2 errors in 2 files:',
      'src/b.ts',
      '  1:3 error: BROKEN = one; (toy 1)',
      'test/c.ts',
      '  1:1 error: BROKEN = two; (toy 1)',
      expect.stringMatching(/^Looked at: 4 of 4/),
    ],
  ]);
});

test('no problems are only said of a file that somebody looked at', async () => {
  const { call, intelligence } = bench();
  const looked = await call(diagnostics, { path: 'src/a.ts' });
  Object.assign(intelligence, { problems: async () => ({ kind: 'known', value: undefined }) });
  const unknown = await call(diagnostics, { path: 'src/a.ts' });
  expect([looked.content, unknown.content]).toEqual([
    'No problems (error, warning).',
    'Not known: src/a.ts has no tab in the editor, and its language server only looks at files that have one. The user can open it.',
  ]);
});

test('slight problems that a server told of by itself don’t make a file one without grave ones', async () => {
  const { call, intelligence, folder } = bench();
  const hint = { severity: 'hint', line: 1, column: 1, message: 'spelt so', source: '' } as const;
  const found = { path: folder.at('src/a.ts'), by: 'reported', problems: [hint] } as const;
  Object.assign(intelligence, {
    problems: async () => ({ kind: 'known', value: found }),
    problemsUnder: async () => ({
      kind: 'known',
      value: { files: [found], tabs: 0, asked: { files: 0, of: 9 } },
    }),
  });
  const [file, all] = [await call(diagnostics, { path: 'src/a.ts' }), await call(diagnostics, {})];
  expect([file.content, all.content]).toEqual([
    'src/a.ts has no tab: only what was reported of it is known; there may be more.',
    expect.stringMatching(/^No file there that a language server looks at has a tab, so hardly any/),
  ]);
});

test('slighter problems are left out unless they are asked for; grave ones come first; very many are bounded', async () => {
  const problem = (severity: Problem['severity'], line: number): Problem => ({
    ...{ severity, line, column: 1, source: '' },
    message: `${severity}\nof ${'x'.repeat(1000)}`,
  });
  const problems = [problem('hint', 1), problem('warning', 2), problem('error', 3)];
  const many = Array.from({ length: 500 }, (_, line) => problem('error', line + 1));
  const told = async (found: readonly Problem[], severity?: string) => {
    const answer = async (file: { path: string }) =>
      ({ kind: 'known', value: { path: file.path, by: 'shown', problems: found } }) as never;
    const { call } = toolBench(FILES, { intelligence: { ...noIntelligence, problems: answer } });
    return (await call(diagnostics, { path: 'src/a.ts', severity })).content.split('\n');
  };
  const start = (lines: readonly string[]) => lines.map((line) => line.slice(0, 20));
  const bounded = await told(many);
  expect([
    start(await told(problems)),
    (await told(problems, 'hint')).length,
    bounded.length,
    bounded.at(-1),
  ]).toEqual([
    ['1 error, 1 warning i', 'src/a.ts', '  3:1 error: error o', '  2:1 warning: warni'],
    5,
    33,
    '  … and 470 more here',
  ]);
});

test('since the turn began: what its edits brought, in a session of the real core', async () => {
  const intelligence = memoryIntelligence();
  const lab = await coreLab({ workspace: FILES, intelligence });
  intelligence.serve(lab.folder.path, lab.host.dirty);
  const look = (id: string) => ({ calls: [call(id, 'diagnostics', { sinceTurn: true })] });
  await lab.turn(
    'go',
    look('d1'),
    { calls: [call('w1', 'write_file', { path: 'src/new.ts', content: 'BROKEN = new;\n' })] },
    { calls: [call('r1', 'read_file', { path: 'src/b.ts' })] },
    {
      calls: [
        call('e1', 'edit_file', { path: 'src/b.ts', oldText: 'one;', newText: 'one;\nconst fine = 2;' }),
      ],
    },
    look('d2'),
    { text: 'done' },
  );
  const [before, written, , , after] = lab.results().map(({ content }) => content.split('\n'));
  expect([before, written, after]).toEqual([
    ['This turn has not changed a file with its tools yet, so there is nothing to compare with.'],
    ['Wrote src/new.ts: 1 line.', '1 new problem:', '  line 1: error: BROKEN = new; (toy 1)'],
    [
      '1 error in 1 file:',
      'src/new.ts',
      '  1:1 error: BROKEN = new; (toy 1)',
      expect.stringMatching(/^New since this turn first changed a file/),
    ],
  ]);
});

test('a rule that denies reading a file keeps its problems back', async () => {
  const intelligence = memoryIntelligence();
  const permissions = { allow: [], ask: [], deny: ['Read(test/**)'] };
  const lab = await coreLab({ workspace: FILES, intelligence, settings: { permissions } });
  intelligence.serve(lab.folder.path);
  await lab.turn(
    'go',
    { calls: [call('d1', 'diagnostics', {}), call('d2', 'diagnostics', { path: 'test/c.ts' })] },
    { text: 'done' },
  );
  const [all, one] = lab.results();
  expect([all?.content.includes('two'), all?.content.includes('one'), one?.status]).toEqual([
    false,
    true,
    'denied',
  ]);
});
