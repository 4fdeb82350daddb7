import assert from 'node:assert/strict';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';
import { editorIntelligence } from '#editor/intelligence';
import type { NewProblems } from '#host/language/problems';
import { editorWorld, hash } from '#test/host/support/editor-world';

const bytes = (text: string) => Buffer.from(text, 'utf8');
const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));
const quiet = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const none = new AbortController().signal;
/** A server that starts reads the whole project first. */
const STARTING = 60_000;

suite('what language servers know', () => {
  const intelligence = editorIntelligence(quiet);

  test('a TypeScript file without a tab: problems that an edit brings are told, those that were there are not', async () => {
    await using world = editorWorld();
    const old = 'export const a: string = 1;\n';
    const now = 'export const b = 2;\nexport const a: string = 1;\nmissing();\n';
    const file = world.put('closed.ts', old);
    const before = tabs();
    const watch = await answered(async () => {
      const begun = await intelligence.watchProblems(file, none);
      return (await begun.since(old, 5000)).kind === 'known' ? begun : undefined;
    });
    const landed = await world.files.land({
      kind: 'replace',
      path: file,
      bytes: bytes(now),
      expected: hash(old),
    });
    assert.equal(landed.ok, true);
    const found = await watch.since(now, 5000);
    watch.dispose();
    assert.deepEqual(
      { told: linesOf(found), tabs: tabs() },
      { told: ["3 error Cannot find name 'missing'. ts 2304"], tabs: before },
    );
  });

  test('a file of another language with a tab: what its server reports', async () => {
    await using world = editorWorld();
    const old = '{ "a": 1 }\n';
    const now = '{ "a": 1,, }\n';
    const file = world.put('data.json', old);
    await world.show(file);
    const watch = await intelligence.watchProblems(file, none);
    await world.files.land({ kind: 'replace', path: file, bytes: bytes(now), expected: hash(old) });
    const found = await watch.since(now, STARTING);
    watch.dispose();
    assert.equal(found.kind === 'known' && found.problems.length > 0, true);
  });

  test('a file of another language without a tab: nobody knows', async () => {
    await using world = editorWorld();
    const watch = await intelligence.watchProblems(world.put('closed.json', '{}\n'), none);
    assert.deepEqual(await watch.since('{,}\n', 1000), { kind: 'unknown' });
  });

  test('a file that moves: its imports and those of it, without a tab or a dialog', async () => {
    await using world = editorWorld();
    world.put(
      'tsconfig.json',
      '{ "compilerOptions": { "module": "esnext", "moduleResolution": "bundler" } }\n',
    );
    world.put('src/other.ts', 'export const other = 1;\n');
    const from = world.put('src/util.ts', "import { other } from './other';\nexport const util = other;\n");
    const user = world.put('src/user.ts', "// é\nimport { util } from './util';\nexport const use = util;\n");
    const to = from.replace('util.ts', 'deep/tool.ts') as typeof from;
    const before = tabs();
    const named = [{ path: user, line: 2, text: './util' }];
    const found = await answered(() => intelligence.movingFile({ from, to, named }, none));
    const told = found.map(({ path, changes }) => [path, changes.map(({ text }) => text)]).toSorted();
    assert.deepEqual(
      { told, tabs: tabs() },
      {
        told: [
          [user, ['./deep/tool']],
          [from, ['../other']],
        ],
        tabs: before,
      },
    );
  });

  test('a place that means another file of the same name is passed over', async () => {
    await using world = editorWorld();
    const from = world.put('a/util.ts', 'export const one = 1;\n');
    world.put('b/util.ts', 'export const two = 2;\n');
    const user = world.put('b/user.ts', "import { two } from './util';\nexport const use = two;\n");
    const named = [{ path: user, line: 1, text: './util' }];
    const to = from.replace('util', 'tool') as typeof from;
    assert.equal(await intelligence.movingFile({ from, to, named }, none), undefined);
  });
});

function linesOf(found: NewProblems): readonly string[] {
  if (found.kind !== 'known') return [found.kind];
  return found.problems.map(
    ({ line, severity, message, source }) => `${line} ${severity} ${message} ${source}`,
  );
}

async function answered<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (const end = performance.now() + STARTING; performance.now() < end; ) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the server did not answer');
}
