import assert from 'node:assert/strict';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';
import { languageLab } from '#test/host/support/language-lab';

const LIES = { language: 'plaintext', pattern: '**/*.lies' };
const FILES = { 'a.lies': 'word\n', 'notes.txt': 'text\n' };

suite('language servers that say what isn’t so', () => {
  test('a problem whose fields aren’t what they should be keeps nobody from editing or looking', async () => {
    await using lab = await languageLab(FILES);
    const range = new vscode.Range(0, 0, 0, 4);
    const odd = (more: object) => Object.assign(new vscode.Diagnostic(range, 'a word'), more);
    using problems = collection();
    problems.set(at(lab.folder, 'a.lies'), [
      odd({ code: null, source: null }),
      odd({ code: { value: null }, severity: null, message: 'no severity' }),
      odd({ code: { value: 7 }, source: 'lies' }),
    ]);
    const results = await lab.turn(
      ['diagnostics', {}],
      ['write_file', { path: 'b.txt', content: 'new\n' }],
      ['diagnostics', { sinceTurn: true }],
    );
    assert.deepEqual(
      [results.map(({ status }) => status), results[0]?.content.split('\n').slice(0, 5)],
      [
        ['success', 'success', 'success'],
        [
          '3 errors in 1 file:',
          'a.lies',
          '  1:1 error: a word',
          '  1:1 error: no severity',
          '  1:1 error: a word (lies 7)',
        ],
      ],
    );
  });

  test('of a file in a tab that no server looks at it isn’t said that it has no problems', async () => {
    await using lab = await languageLab(FILES);
    await lab.show(`${lab.folder}/notes.txt`);
    const results = await lab.turn(
      ['diagnostics', {}],
      ['read_file', { path: 'notes.txt' }],
      ['edit_file', { path: 'notes.txt', oldText: 'text', newText: 'words' }],
      ['diagnostics', { sinceTurn: true }],
    );
    const [folder, , edited, since] = results.map(({ content }) => content);
    assert.deepEqual(
      [folder, /No new problems/.test(edited ?? ''), since?.split('\n')],
      [
        'No file there that a language server looks at has a tab, so hardly any was looked at; ask about single files, or run the project’s own check.',
        false,
        [
          'New since this turn first changed a file: compared are the files it changed with its tools, and all that the editor’s list of problems holds.',
          'What is new is not known of notes.txt.',
        ],
      ],
    );
  });

  test('symbols without a word about them are listed all the same', async () => {
    await using lab = await languageLab(FILES);
    const range = new vscode.Range(0, 0, 0, 4);
    using _outline = owned(
      vscode.languages.registerDocumentSymbolProvider(LIES, {
        provideDocumentSymbols: () => [
          new vscode.DocumentSymbol('word', undefined as never, vscode.SymbolKind.Key, range, range),
        ],
      }),
    );
    using _symbols = owned(
      vscode.languages.registerWorkspaceSymbolProvider({
        provideWorkspaceSymbols: () => [
          new vscode.SymbolInformation(
            'liesWord',
            vscode.SymbolKind.Key,
            undefined as never,
            new vscode.Location(at(lab.folder, 'a.lies'), range),
          ),
        ],
      }),
    );
    const results = await lab.ask(
      ['document_symbols', { path: 'a.lies' }],
      ['workspace_symbols', { query: 'liesWord' }],
    );
    assert.deepEqual(
      results.map(({ content }) => content),
      ['a.lies: 1 symbol\n  1:1  key word', '1 symbol:\na.lies:1:1  key liesWord'],
    );
  });

  test('places that are nowhere and very many are bounded and told as they are', async () => {
    await using lab = await languageLab(FILES);
    const range = new vscode.Range(900_000, 0, 900_000, 4);
    const own = at(lab.folder, 'a.lies');
    using _definition = owned(
      vscode.languages.registerDefinitionProvider(LIES, {
        provideDefinition: () => [
          new vscode.Location(own.with({ path: `${own.path}\0x` }), range),
          new vscode.Location(at(lab.folder, 'x'.repeat(5000)), range),
          new vscode.Location(at(lab.folder, '.git/none'), range),
          new vscode.Location(vscode.Uri.parse('command:workbench.action.quit'), range),
          new vscode.Location(own, range),
        ],
      }),
    );
    using _references = owned(
      vscode.languages.registerReferenceProvider(LIES, {
        provideReferences: () =>
          Array.from(
            { length: 100_000 },
            (_, line) => new vscode.Location(own, new vscode.Range(line, 0, line, 4)),
          ),
      }),
    );
    const place = { path: 'a.lies', line: 1, symbol: 'word' };
    const results = await lab.ask(['definition', place], ['references', { ...place, limit: 2 }]);
    const [definition, references] = results.map(({ status, content }) => [status, content]);
    assert.deepEqual(
      [definition?.[0], references],
      [
        'success',
        ['success', '100000 references:\na.lies:1:1  word\na.lies:2:1  \n(99998 more; raise limit for them)'],
      ],
    );
  });
});

function at(folder: string, name: string): vscode.Uri {
  return vscode.Uri.file(`${folder}/${name}`);
}

function collection() {
  const made = vscode.languages.createDiagnosticCollection('lies');
  return Object.assign(owned(made), { set: made.set.bind(made) });
}

function owned(disposable: vscode.Disposable): Disposable {
  return { [Symbol.dispose]: () => disposable.dispose() };
}
