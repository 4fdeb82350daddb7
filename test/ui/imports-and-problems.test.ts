import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openBelay } from '#test/ui/support/open-belay';
import { scriptedModel } from '#test/ui/support/scripted';

const FILES = {
  'tsconfig.json': '{ "compilerOptions": { "module": "esnext", "moduleResolution": "bundler" } }\n',
  'src/util.ts': "import { other } from './other';\nexport const util = other;\n",
  'src/other.ts': 'export const other = 1;\n',
  'src/user.ts': "import { util } from './util';\nexport const use = util;\n",
};

const edit = (from: string, to: string) => ({
  name: 'edit_file',
  input: { path: 'src/other.ts', oldText: from, newText: to },
});

/** What the model calls when it is asked so. */
const CALLS: Readonly<Record<string, { readonly name: string; readonly input: unknown }>> = {
  'Read it': { name: 'read_file', input: { path: 'src/other.ts' } },
  'Break it': edit('= 1;', '= missing;'),
  'Mend it': edit('= missing;', '= 1;'),
  'Rename it': { name: 'rename_file', input: { from: 'src/util.ts', to: 'src/lib/tool.ts' } },
};

/** Milliseconds: edits don't wait for a language server that is just starting, so they are made until it knows. */
const STARTING = 90_000;

test('an edit tells the model its new problems, a rename takes the imports along, and the person sees neither tab nor dialog', async () => {
  const { settings, server } = await scriptedModel([]);
  server.reset(({ body }, index) => {
    const last = JSON.stringify((body as { messages: readonly unknown[] }).messages.at(-1));
    const asked = Object.keys(CALLS).find((prompt) => last.includes(prompt));
    const call = asked === undefined ? undefined : CALLS[asked];
    return call ? { calls: [{ id: `c${index}`, ...call }] } : { text: 'Done.' };
  });
  const belay = await openBelay({ settings, files: FILES });
  const panel = await belay.openPanel();
  const told = () => JSON.stringify(server.requests.at(-1)?.body);
  const tabs = () => belay.workbench.page.locator('.tabs-container .tab').count();

  const says = async (prompt: string) => {
    expect(await panel.ended(await panel.send(prompt))).toBe('done');
    return told();
  };

  await says('Read it');
  const problem = "error: Cannot find name 'missing'. (ts 2304)";
  for (const end = performance.now() + STARTING; !(await says('Break it')).includes(problem); ) {
    if (performance.now() > end) throw new Error(`no edit was told its problem: ${told()}`);
    await says('Mend it');
  }
  await says('Rename it');
  expect(told()).toContain('Updated the imports in src/lib/tool.ts, src/user.ts.');
  const text = (name: string) => readFileSync(path.join(belay.folder, name), 'utf8');
  expect([text('src/lib/tool.ts'), text('src/user.ts')]).toEqual([
    FILES['src/util.ts'].replace('./other', '../other'),
    FILES['src/user.ts'].replace('./util', './lib/tool'),
  ]);
  expect([await tabs(), await belay.workbench.page.locator('.monaco-dialog-box').count()]).toEqual([0, 0]);
});
