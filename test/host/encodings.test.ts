import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import iconv from 'iconv-lite';
import { suite, test } from 'mocha';
import * as vscode from 'vscode';
import { type EditorLab, editorLab, withSetting } from '#test/host/support/editor-lab';
import { eventually } from '#test/host/support/editor-world';

const CHINESE = '/* 中文注释：这个函数计算价格，包括折扣和税。 */\nint a=1;\n'.repeat(20);

const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));
const hex = (file: string) => readFileSync(file).toString('hex');

/** Reads and edits a file of the lab, by the tools, and says what came of the edit. */
async function edit(lab: EditorLab, file: string, oldText: string, newText: string) {
  const path = file.slice(lab.folder.length + 1);
  const [read, edited] = await lab.turn(['read_file', { path }], ['edit_file', { path, oldText, newText }]);
  return { read: read?.content ?? '', edited: edited?.content ?? '', status: edited?.status };
}

suite('files in other encodings', () => {
  test('ED-03 an open GBK file by setting is edited and saved as GBK, and one undo takes it back', async () => {
    await using _setting = await withSetting('files', 'encoding', 'gbk');
    await using lab = await editorLab();
    const file = lab.put('open.c', iconv.encode('/* 中文 */\nint a=1;\n', 'gbk'));
    const { document } = await lab.show(file);
    const { read } = await edit(lab, file, 'a=1', 'a=2; // 改');
    const after = { bytes: hex(file), dirty: document.isDirty, encoding: document.encoding };
    await vscode.commands.executeCommand('undo');
    assert.deepEqual(
      { read, ...after, undone: document.getText() },
      {
        read: '     1→/* 中文 */\n     2→int a=1;\n\n(encoding gbk)',
        bytes: iconv.encode('/* 中文 */\nint a=2; // 改;\n', 'gbk').toString('hex'),
        dirty: false,
        encoding: 'gbk',
        undone: '/* 中文 */\nint a=1;\n',
      },
    );
  });

  test('a closed file goes by the setting for its language, which the editor alone can tell; no tab opens', async () => {
    await using _setting = await withSetting('files', 'encoding', 'shiftjis', 'plaintext');
    await using lab = await editorLab();
    const before = tabs();
    const file = lab.put('closed.txt', iconv.encode('設定=旧\n表示\n', 'shiftjis'));
    const other = lab.put('other.json', '"é"\n');
    const { read } = await edit(lab, file, '旧', '新規');
    await edit(lab, other, 'é', 'ü');
    assert.deepEqual(
      { read, bytes: hex(file), other: readFileSync(other, 'utf8'), tabs: tabs() },
      {
        read: '     1→設定=旧\n     2→表示\n\n(encoding shiftjis)',
        bytes: iconv.encode('設定=新規\n表示\n', 'shiftjis').toString('hex'),
        other: '"ü"\n',
        tabs: before,
      },
    );
  });

  test('what the editor guesses is taken by name, and every other byte stays', async () => {
    await using _setting = await withSetting('files', 'autoGuessEncoding', true);
    await using lab = await editorLab();
    const file = lab.put('guessed.c', iconv.encode(`${CHINESE}int last;\n`, 'gbk'));
    const plain = lab.put('plain.c', `// é ü\n${CHINESE}`);
    const { edited } = await edit(lab, file, 'int last;', 'int last; // 完');
    const { read } = await edit(lab, plain, '// é', '// è');
    assert.deepEqual(
      { edited: edited.split(':')[0], bytes: hex(file), told: read.includes('encoding'), plain: hex(plain) },
      {
        edited: `Edited guessed.c`,
        bytes: iconv.encode(`${CHINESE}int last; // 完\n`, 'gbk').toString('hex'),
        told: false,
        plain: Buffer.from(`// è ü\n${CHINESE}`).toString('hex'),
      },
    );
  });

  test('ED-02 a file that the person reopened with its encoding is edited in that one', async () => {
    await using lab = await editorLab();
    const bytes = Buffer.from(`${'// caf\xe9\n'.repeat(30)}if (a == 1) {}\n`, 'latin1');
    const file = lab.put('latin.php', bytes);
    const refused = await edit(lab, file, 'a == 1', 'a != 1');
    await vscode.workspace.openTextDocument(vscode.Uri.file(file), { encoding: 'iso88591' });
    await lab.show(file);
    const done = await edit(lab, file, 'a == 1', 'a != 1');
    assert.deepEqual(
      { refused: refused.read.slice(0, 45), status: done.status, bytes: hex(file) },
      {
        refused: 'read_file: latin.php is not UTF-8 text. Ask t',
        status: 'success',
        bytes: Buffer.from(bytes.toString('latin1').replace('==', '!='), 'latin1').toString('hex'),
      },
    );
  });

  test('UTF-16 with a mark keeps mark and encoding through an open editor', async () => {
    await using lab = await editorLab();
    const form = (text: string) => iconv.encode(text, 'utf16le', { addBOM: true });
    const file = lab.put('wide.txt', form('a\r\n中\r\n'));
    const { document } = await lab.show(file);
    await edit(lab, file, '中', '文😀');
    assert.deepEqual(
      { bytes: hex(file), shown: document.getText(), dirty: document.isDirty },
      { bytes: form('a\r\n文😀\r\n').toString('hex'), shown: 'a\r\n文😀\r\n', dirty: false },
    );
  });

  test('ED-01 a character that GBK lacks is refused before anything is written', async () => {
    await using _setting = await withSetting('files', 'encoding', 'gbk');
    await using lab = await editorLab();
    const file = lab.put('emoji.txt', iconv.encode('中\n文\n', 'gbk'));
    const { document } = await lab.show(file);
    const { edited } = await edit(lab, file, '文', '😀');
    assert.deepEqual(
      {
        edited: edited.split(', which')[0],
        bytes: hex(file),
        shown: document.getText(),
        dirty: document.isDirty,
      },
      {
        edited: 'edit_file: gbk, the encoding of this file, has no "😀" (U+1F600)',
        bytes: iconv.encode('中\n文\n', 'gbk').toString('hex'),
        shown: '中\n文\n',
        dirty: false,
      },
    );
  });

  test('ED-05 mixed line ends in GBK land on disk, and the open editor shows them', async () => {
    await using _setting = await withSetting('files', 'encoding', 'gbk');
    await using lab = await editorLab();
    const file = lab.put('mixed.txt', iconv.encode('甲\r\n乙\n丙\r\n', 'gbk'));
    const { document } = await lab.show(file);
    await edit(lab, file, '乙', '丁\n戊');
    assert.equal(hex(file), iconv.encode('甲\r\n丁\n戊\n丙\r\n', 'gbk').toString('hex'));
    await eventually('the editor shows the new text', () => document.getText().includes('戊'));
    assert.equal(document.isDirty, false);
  });

  test('bytes that the encoding of the open editor cannot hold are refused, and none of them changes', async () => {
    await using _setting = await withSetting('files', 'encoding', 'gbk');
    await using lab = await editorLab();
    const file = lab.put('broken.c', Buffer.from('d6d0ce0a610a', 'hex'));
    await lab.show(file);
    const { status } = await edit(lab, file, 'a', 'b');
    assert.deepEqual({ status, bytes: hex(file) }, { status: 'error', bytes: 'd6d0ce0a610a' });
  });

  test('a setting counts from the moment it is changed', async () => {
    await using lab = await editorLab();
    const file = lab.put('late.c', iconv.encode('/* 中 */\n', 'gbk'));
    const read = async () => (await lab.turn(['read_file', { path: 'late.c' }]))[0]?.status;
    const before = await read();
    await using _setting = await withSetting('files', 'encoding', 'gbk');
    const { status } = await edit(lab, file, '中', '文');
    assert.deepEqual(
      { before, status, bytes: hex(file) },
      { before: 'error', status: 'success', bytes: iconv.encode('/* 文 */\n', 'gbk').toString('hex') },
    );
  });

  test('a new file is written as the editor would save it', async () => {
    await using _encoding = await withSetting('files', 'encoding', 'gbk');
    await using _eol = await withSetting('files', 'eol', '\r\n');
    await using lab = await editorLab();
    const [made] = await lab.turn(['write_file', { path: 'new.txt', content: '中\n文\n' }]);
    assert.deepEqual(
      { bytes: hex(`${lab.folder}/new.txt`), told: made?.content },
      {
        bytes: iconv.encode('中\r\n文\r\n', 'gbk').toString('hex'),
        told: 'Wrote new.txt: 2 lines.\nAs the settings of the editor say: encoding gbk, CRLF line ends.',
      },
    );
  });
});

suite('edits by the tools in the editor', () => {
  test('ED-19 with a diff of another scheme in view, the file itself is edited', async () => {
    await using lab = await editorLab();
    const file = lab.put('a.ts', 'now\n');
    const provider = vscode.workspace.registerTextDocumentContentProvider('belay-before', {
      provideTextDocumentContent: () => 'before\n',
    });
    try {
      const before = vscode.Uri.from({ scheme: 'belay-before', path: file });
      await vscode.commands.executeCommand('vscode.diff', before, vscode.Uri.file(file), 'a diff');
      await edit(lab, file, 'now', 'edited');
      const texts = vscode.workspace.textDocuments
        .filter(({ uri }) => uri.path === file)
        .map((document) => [document.uri.scheme, document.getText(), document.isDirty]);
      assert.deepEqual(
        { disk: readFileSync(file, 'utf8'), texts: texts.sort() },
        {
          disk: 'edited\n',
          texts: [
            ['belay-before', 'before\n', false],
            ['file', 'edited\n', false],
          ],
        },
      );
    } finally {
      provider.dispose();
    }
  });

  test('ED-20 a command of the same turn sees what was edited in an open editor', async () => {
    await using lab = await editorLab();
    const file = lab.put('a.py', 'print(1)\n');
    const { document } = await lab.show(file);
    const results = await lab.turn(
      ['read_file', { path: 'a.py' }],
      ['edit_file', { path: 'a.py', oldText: '1', newText: '2' }],
      ['run_command', { command: 'cat a.py', description: 'print' }],
    );
    assert.deepEqual(
      { printed: results[2]?.content.split('\n')[0], dirty: document.isDirty },
      { printed: 'print(2)', dirty: false },
    );
  });
});
