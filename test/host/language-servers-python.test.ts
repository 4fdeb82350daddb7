import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';
import { LanguageServers } from '#editor/language-servers/language-servers';
import { redactedChannel } from '#editor/log';
import { editorLab, withSetting } from '#test/host/support/editor-lab';
import { type EditorWorld, editorWorld, eventually } from '#test/host/support/editor-world';
import { checkout, isAlive } from '#test/host/support/language-servers';

const SHAPES = `class Shape:
    """Anything with an area."""

    def area(self) -> int:
        return 1


def total(shapes: list[Shape]) -> int:
    return sum(shape.area() for shape in shapes)
`;
const USER = `from shapes import Shape, total

wrong: str = total([Shape()])
`;

suite('a language server of the setting: pyright', () => {
  test('its files have problems, definitions, references, hovers and renames, without a tab', async () => {
    await using world = editorWorld();
    await using _server = await pyright(world);
    const { user, shapes } = await open(world);
    const told = () =>
      vscode.languages.getDiagnostics(user).map(({ source, code }) => [source, codeOf(code)]);
    await eventually('the wrong type is told', () => told().length > 0);
    const at = new vscode.Position(2, 15);
    const [definitions, references, hovers, rename] = await Promise.all([
      ask<(vscode.Location | vscode.LocationLink)[]>('vscode.executeDefinitionProvider', user, at),
      ask<vscode.Location[]>('vscode.executeReferenceProvider', user, at),
      ask<vscode.Hover[]>('vscode.executeHoverProvider', user, at),
      ask<vscode.WorkspaceEdit>('vscode.executeDocumentRenameProvider', user, at, 'sum_of'),
    ]);
    assert.deepEqual(
      {
        told: told(),
        definitions: definitions.map((each) => {
          const [uri, range] = 'uri' in each ? [each.uri, each.range] : [each.targetUri, each.targetRange];
          return [uri.fsPath, range.start.line];
        }),
        references: references
          .map(({ uri, range }) => [path.basename(uri.fsPath), range.start.line])
          .toSorted(),
        hover: hovers
          .flatMap(({ contents }) => contents.map((one) => (typeof one === 'string' ? one : one.value)))
          .join(),
        renamed: rename
          .entries()
          .map(([uri, edits]) => [path.basename(uri.fsPath), edits.length])
          .toSorted(),
        tabs: vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length,
      },
      {
        told: [['Pyright', 'reportAssignmentType']],
        definitions: [[shapes.fsPath, 7]],
        references: [
          ['shapes.py', 7],
          ['user.py', 0],
          ['user.py', 2],
        ],
        hover: '```python\n(function) def total(shapes: list[Shape]) -> int\n```',
        renamed: [
          ['shapes.py', 1],
          ['user.py', 2],
        ],
        tabs: 0,
      },
    );
  });

  test('it is started again after a crash, and is gone when the setting is', async () => {
    await using world = editorWorld();
    const server = await pyright(world);
    const { user } = await open(world);
    const knows = () => vscode.languages.getDiagnostics(user).length > 0;
    await eventually('its first answer', knows);
    const first = server.pid();
    rmSync(server.pidFile);
    process.kill(first, 'SIGKILL');
    await eventually('the problems of the dead server are gone', () => !knows());
    await eventually('another one', () => existsSync(server.pidFile) && knows());
    const second = server.pid();
    await server[Symbol.asyncDispose]();
    await eventually('the end of its process', () => !isAlive(second));
    assert.deepEqual([first === second, knows(), isAlive(first)], [false, false, false]);
  });
});

suite('the tools on a language server of the setting', () => {
  test('problems of a file that nobody has opened are known, and those that an edit brings stand in its result', async () => {
    await using stack = new AsyncDisposableStack();
    const channel = redactedChannel(vscode.window.createOutputChannel('Belay tools', { log: true }));
    stack.defer(() => channel.dispose());
    // Not in the settings: the window's own Belay would start a second one, and both report.
    const pidFile = path.join(stack.use(editorWorld()).folder, 'pyright.pid');
    const servers = new LanguageServers(channel, () => setting(pidFile));
    stack.defer(() => servers.close());
    const lab = stack.use(await editorLab({ intelligent: true, languageServers: servers }));
    lab.put('shapes.py', SHAPES);
    lab.put('user.py', USER);
    const file = 'user.py';
    const told: string[] = [];
    while (!told.at(-1)?.includes('reportAssignmentType')) {
      const [result] = await lab.turn(['diagnostics', { path: file }]);
      told.push(result?.content ?? '');
    }
    const [, , fixed, broken] = await lab.turn(
      ['read_file', { path: file }],
      ['edit_file', { path: file, oldText: 'wrong: str', newText: 'right: int' }],
      ['diagnostics', { path: file }],
      ['edit_file', { path: file, oldText: 'right: int', newText: 'right: bytes' }],
    );
    assert.deepEqual(
      [
        told.slice(0, -1).filter((text) => !/start/.test(text)),
        fixed?.status,
        fixed?.content.includes('report'),
        broken?.content.includes('is not assignable to declared type "bytes"'),
      ],
      [[], 'success', false, true],
    );
  });
});

interface Pyright extends AsyncDisposable {
  readonly pidFile: string;
  pid(): number;
}

/** Sets it up as a person would, in the settings. */
async function pyright(world: EditorWorld): Promise<Pyright> {
  const pidFile = path.join(world.folder, 'pyright.pid');
  const set = await withSetting('belay', 'languageServers', setting(pidFile));
  return {
    pidFile,
    pid: () => Number(readFileSync(pidFile, 'utf8')),
    [Symbol.asyncDispose]: () => Promise.resolve(set[Symbol.asyncDispose]()),
  };
}

function setting(pidFile: string): unknown {
  const support = path.join(checkout(), 'test/support/language-server/pyright.mjs');
  const script = path.join(checkout(), 'node_modules/pyright/langserver.index.js');
  return {
    pyright: {
      command: process.execPath,
      args: [support, pidFile, script, '--stdio'],
      languages: ['python'],
      env: { ELECTRON_RUN_AS_NODE: '1' },
      settings: { 'python.analysis.typeCheckingMode': 'strict', python: { pythonPath: '/nowhere/python' } },
      startupTimeoutMs: 120_000,
    },
  };
}

async function open(world: EditorWorld): Promise<{ user: vscode.Uri; shapes: vscode.Uri }> {
  const [shapes, user] = [world.put('shapes.py', SHAPES), world.put('user.py', USER)].map((file) =>
    vscode.Uri.file(file),
  );
  if (!shapes || !user) throw new Error('two files');
  await vscode.workspace.openTextDocument(user);
  return { user, shapes };
}

function ask<T>(command: string, ...args: readonly unknown[]): Thenable<T> {
  return vscode.commands.executeCommand<T>(command, ...args);
}

function codeOf(code: vscode.Diagnostic['code']): unknown {
  return typeof code === 'object' ? code.value : code;
}
