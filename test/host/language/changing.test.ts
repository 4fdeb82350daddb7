import assert from 'node:assert/strict';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';
import { onDisk } from '#test/host/support/editor-world';
import { languageLab, view } from '#test/host/support/language-lab';

const TSCONFIG =
  '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler" } }\n';

/** Twenty files, some with a byte order mark, Windows line ends and tabs. */
const TWENTY: Readonly<Record<string, string>> = {
  'tsconfig.json': TSCONFIG,
  'src/area.ts': 'export function area(side: number): number {\r\n\treturn side * side;\r\n}\r\n',
  ...Object.fromEntries(
    Array.from({ length: 19 }, (_, n) => [
      `src/deep/user-${n}.ts`,
      `${n % 3 === 0 ? '\uFEFF' : ''}import { area } from '../area';${n % 2 === 0 ? '\r\n' : '\n'}export const v${n} = area(area(${n})); // ü area`,
    ]),
  ),
};

suite('the language tools that change files', () => {
  test('a symbol used in 20 files is renamed in one checkpoint, and undo restores every byte', async () => {
    await using lab = await languageLab(TWENTY);
    const names = Object.keys(TWENTY);
    const texts = () => Object.fromEntries(names.map((name) => [name, onDisk(`${lab.folder}/${name}`)]));
    const before = view();
    // Asked at an import: it is the declaration that is meant.
    const [renamed] = await lab.ask([
      'rename_symbol',
      { path: 'src/deep/user-3.ts', line: 1, column: 10, newName: 'surface' },
    ]);
    assert.match(renamed?.content ?? '', /^Renamed "area" to "surface": 58 changes in 20 files: /);
    assert.match(renamed?.content ?? '', /No new problems/);
    const expected = Object.entries(TWENTY).map(([name, text]) => [
      name,
      text.replaceAll('{ area }', '{ surface }').replaceAll('area(', 'surface('),
    ]);
    assert.deepEqual(texts(), Object.fromEntries(expected));
    const checkpoints = lab.app.checkpoints(lab.sessionId);
    assert.deepEqual(
      checkpoints.map(({ files }) => files.length),
      [20],
    );
    const session = lab.app.session(lab.sessionId);
    const undone = await session?.undo(checkpoints[0]?.turn ?? 0, 'files');
    assert.equal(undone?.status, 'done');
    assert.deepEqual(texts(), TWENTY);
    assert.deepEqual(view(), before);
  });

  test('an open file is renamed in its tab, unsaved changes in one refuse all; nothing else of the window changes', async () => {
    await using lab = await languageLab({
      'tsconfig.json': TSCONFIG,
      'area.ts': 'export function area() {\n  return 1;\n}\n',
      'shown.ts': "import { area } from './area';\narea();\n",
      'typed.ts': "import { area } from './area';\narea();\n",
    });
    const typed = await lab.show(`${lab.folder}/typed.ts`);
    const shown = await lab.show(`${lab.folder}/shown.ts`);
    shown.selection = new vscode.Selection(1, 2, 1, 2);
    await typeInto(typed.document, '// mine\n');
    const before = view();
    const input = { path: 'area.ts', line: 1, symbol: 'area', newName: 'surface' };
    const [refused] = await lab.ask(['rename_symbol', input]);
    assert.equal(
      refused?.content,
      'rename_symbol: typed.ts has unsaved changes by the user; ask them to save. Nothing was changed',
    );
    assert.deepEqual([view(), onDisk(`${lab.folder}/area.ts`).includes('surface')], [before, false]);
    const [found] = await lab.ask(['definition', { path: 'typed.ts', line: 3, symbol: 'area' }]);
    assert.match(found?.content ?? '', /area\.ts:1:17 {2}export function area/);
    await typed.document.save();
    const saved = view();
    const [renamed] = await lab.ask(['rename_symbol', input]);
    assert.equal(renamed?.status, 'success');
    assert.equal(
      onDisk(`${lab.folder}/typed.ts`),
      "// mine\nimport { surface } from './area';\nsurface();\n",
    );
    assert.deepEqual([view(), shown.selection.active.line], [saved, 1]);
    assert.equal(shown.document.getText(), "import { surface } from './area';\nsurface();\n");
    await vscode.commands.executeCommand('undo');
    assert.equal(shown.document.getText(), "import { area } from './area';\narea();\n");
  });

  test('an edit that breaks a type shows it in its result, in a file without a tab, and diagnostics know it', async () => {
    await using lab = await languageLab({
      'tsconfig.json': TSCONFIG,
      'src/a.ts': 'export const size: number = 1;\nexport const old: string = 2;\n',
      'data.json': '{ "a": 1,, }\n',
    });
    const before = view();
    const [first] = await lab.ask(['diagnostics', { path: 'src/a.ts' }]);
    assert.equal(
      first?.content,
      "1 error in 1 file:\nsrc/a.ts\n  2:14 error: Type 'number' is not assignable to type 'string'. (ts 2322)",
    );
    const [, edited, since, folder, json] = await lab.turn(
      ['read_file', { path: 'src/a.ts' }],
      ['edit_file', { path: 'src/a.ts', oldText: 'size: number', newText: 'size: boolean' }],
      ['diagnostics', { sinceTurn: true }],
      ['diagnostics', { path: 'src' }],
      ['diagnostics', { path: 'data.json' }],
    );
    assert.deepEqual(edited?.content.split('\n').slice(-2), [
      '1 new problem:',
      "  line 1: error: Type 'number' is not assignable to type 'boolean'. (ts 2322)",
    ]);
    assert.deepEqual(since?.content.split('\n').slice(0, 3), [
      '1 error in 1 file:',
      'src/a.ts',
      "  1:14 error: Type 'number' is not assignable to type 'boolean'. (ts 2322)",
    ]);
    assert.match(
      folder?.content ?? '',
      /^2 errors in 1 file:[\s\S]*Looked at: 1 of 1 TypeScript files without one/,
    );
    assert.match(json?.content ?? '', /^Not known: data\.json has no tab in the editor/);
    assert.deepEqual(view(), before);
    await lab.show(`${lab.folder}/data.json`);
    const [shown] = await lab.ask(['diagnostics', { path: 'data.json' }]);
    assert.match(shown?.content ?? '', /^1 error in 1 file:\ndata\.json\n {2}1:10 error: /);
  });

  test('code actions: imports are organized in a file without a tab; with one there are quick fixes', async () => {
    await using lab = await languageLab({
      'tsconfig.json': TSCONFIG,
      'src/b.ts': 'export const one = 1;\nexport const two = 2;\n',
      'src/a.ts': "import { two, one } from './b';\nexport const sum = one;\nthree();\n",
    });
    const before = view();
    const [listed] = await lab.ask([
      'code_actions',
      { path: 'src/a.ts', line: 1, endLine: 3, kind: 'source' },
    ]);
    const id = /^ {2}(\w{8}) {2}\[source\.organizeImports\]/m.exec(listed?.content ?? '')?.[1];
    assert.match(
      `${id} ${listed?.content}`,
      /^\w{8} [\s\S]*has no tab in the editor, so there are no quick fixes/,
    );
    const [applied] = await lab.ask([
      'apply_code_action',
      { path: 'src/a.ts', line: 1, endLine: 3, kind: 'source', id },
    ]);
    assert.match(applied?.content ?? '', /^Applied "Organize Imports": \d changes? in 1 file: src\/a\.ts\./);
    assert.equal(
      onDisk(`${lab.folder}/src/a.ts`),
      "import { one } from './b';\nexport const sum = one;\nthree();\n",
    );
    assert.deepEqual(view(), before);
    await lab.show(`${lab.folder}/src/a.ts`);
    await diagnosed(`${lab.folder}/src/a.ts`);
    const [fixes] = await lab.ask(['code_actions', { path: 'src/a.ts', line: 3, kind: 'quickfix' }]);
    const fix = /^ {2}(\w{8}) {2}\[quickfix\] Add missing function declaration 'three'/m.exec(
      fixes?.content ?? '',
    )?.[1];
    const [fixed] = await lab.ask([
      'apply_code_action',
      { path: 'src/a.ts', line: 3, kind: 'quickfix', id: fix },
    ]);
    assert.equal(fixed?.status, 'success');
    assert.match(onDisk(`${lab.folder}/src/a.ts`), /function three\(\)/);
  });

  test('TypeScript, JSON, CSS and HTML are formatted by the editor’s formatters, whole or by lines', async () => {
    await using lab = await languageLab({
      'a.ts': 'const  a=1;\nconst  b=2;\n',
      'b.json': '{"a":1}\n',
      'c.css': 'a{color:red}\n',
      'd.html': '<div><p>x</p>\n      </div>\n',
      'e.xyz': 'text\n',
    });
    const before = view();
    const results = await lab.ask(
      ['format', { path: 'a.ts', range: { from: 2, to: 2 } }],
      ['format', { path: 'b.json' }],
      ['format', { path: 'c.css' }],
      ['format', { path: 'd.html' }],
      ['format', { path: 'e.xyz' }],
    );
    assert.deepEqual(
      results.map(({ status }) => status),
      ['success', 'success', 'success', 'success', 'error'],
    );
    assert.equal(onDisk(`${lab.folder}/a.ts`), 'const  a=1;\nconst b = 2;\n');
    assert.match(onDisk(`${lab.folder}/b.json`), /^\{\s+"a": 1\s+\}/);
    assert.match(onDisk(`${lab.folder}/c.css`), /^a \{\s+color: red\s*\}/);
    assert.match(onDisk(`${lab.folder}/d.html`), /^<div>\s+<p>x<\/p>\s<\/div>/);
    assert.deepEqual(view(), before);
  });

  test('CSS and HTML are renamed in their file; a name that no server takes is refused in its words', async () => {
    await using lab = await languageLab({
      'tsconfig.json': TSCONFIG,
      'c.css': ':root { --main: red; }\n.box { color: var(--main); }\n',
      'd.html': '<article><p>x</p></article>\n',
      'a.ts': "console.log('x');\n",
    });
    const before = view();
    const [css, html, library] = await lab.ask(
      ['rename_symbol', { path: 'c.css', line: 2, symbol: '--main', newName: '--accent' }],
      ['rename_symbol', { path: 'd.html', line: 1, column: 3, newName: 'section' }],
      ['rename_symbol', { path: 'a.ts', line: 1, symbol: 'log', newName: 'print' }],
    );
    assert.deepEqual([css?.status, html?.status, library?.status], ['success', 'success', 'error']);
    assert.equal(onDisk(`${lab.folder}/c.css`), ':root { --accent: red; }\n.box { color: var(--accent); }\n');
    assert.equal(onDisk(`${lab.folder}/d.html`), '<section><p>x</p></section>\n');
    assert.match(library?.content ?? '', /outside of the workspace|cannot rename/i);
    assert.deepEqual(view(), before);
  });
});

async function typeInto(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), text);
  await vscode.workspace.applyEdit(edit);
}

async function diagnosed(file: string): Promise<void> {
  for (const end = performance.now() + 60_000; performance.now() < end; ) {
    if (vscode.languages.getDiagnostics(vscode.Uri.file(file)).length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no problems came for ${file}`);
}
