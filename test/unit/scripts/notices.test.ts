import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { thirdPartyNotices } from '#scripts/notices';

const RULE = '='.repeat(100);
const TERMS = `Do what you like. ${'Keep this line. '.repeat(30)}`.trim();
let root = '';

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'belay-notices-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

test('an unknown package without a licence fails, and so does each other one, by name', () => {
  addPackage('node_modules/unknown', { name: 'unknown', version: '1.0.0', license: 'MIT' });
  addPackage('node_modules/@a/bare', { name: '@a/bare', version: '2.0.0' }, { LICENSE: TERMS });
  expect(() => noticesOf('node_modules/unknown/index.js', 'node_modules/@a/bare/lib/x.js')).toThrow(
    [
      '@a/bare 2.0.0 would be packed without the text of its licence (undefined): say in scripts/notices/table.ts where it comes from.',
      'unknown 1.0.0 would be packed without the text of its licence ("MIT"): say in scripts/notices/table.ts where it comes from.',
    ].join('\n'),
  );
});

test('a pointer to a licence elsewhere, a NOTICE, a folder or code of that name is no licence', () => {
  const files = { LICENSE: 'See the repository.', NOTICE: TERMS, 'license.js': TERMS };
  addPackage('node_modules/pointer', { name: 'pointer', version: '1.0.0', license: 'MIT' }, files);
  mkdirSync(path.join(root, 'node_modules/pointer/LICENSES'));
  expect(() => noticesOf('node_modules/pointer/index.js')).toThrow(
    /^pointer 1\.0\.0 would be packed without/,
  );
});

test('licence files come before notices, with plain line ends, in one order whatever the inputs have', () => {
  const manifest = (version: string) => ({ name: 'two', version, license: 'MIT' });
  addPackage('node_modules/two', manifest('2.0.0'), { 'license.txt': `\uFEFF${TERMS}\r\nEnd.  \r\n\r\n` });
  const nested = { NOTICE: 'Made by Two.', 'LICENSE-MIT': TERMS, 'LICENSE-CODE.md': `Code. ${TERMS}` };
  addPackage('node_modules/one/node_modules/two', manifest('1.0.0'), nested);
  const inputs = [
    'src/own.ts',
    'node_modules/two/a.js',
    '(disabled):node_modules/one/node_modules/two/b.js',
    'node_modules/two/font.ttf?1',
  ];
  const expected = [
    'Belay contains the following works of others. Each stands under its own terms.',
    `two 1.0.0 (MIT)\n\nCode. ${TERMS}\n\n${TERMS}\n\nMade by Two.`,
    `two 2.0.0 (MIT)\n\n${TERMS}\nEnd.`,
  ].join(`\n\n${RULE}\n\n`);
  expect([noticesOf(...inputs), noticesOf(...inputs.reverse())]).toEqual([`${expected}\n`, `${expected}\n`]);
});

test('the table speaks only for the licence that it was written for', () => {
  addPackage('node_modules/@vscode/l10n', {
    name: '@vscode/l10n',
    version: '9.0.0',
    license: 'GPL-3.0-only',
  });
  expect(() => noticesOf('node_modules/@vscode/l10n/main.js')).toThrow(
    /^@vscode\/l10n 9\.0\.0 would be packed/,
  );
});

test("ripgrep's binary brings the terms of what is inside, on each platform", () => {
  const platforms = ['win32-arm64', 'linux-x64', 'darwin-arm64'];
  const headings = platforms.map((platform) => {
    const name = `@vscode/ripgrep-${platform}`;
    addPackage(`node_modules/${name}`, { name, version: '1.0.0', license: 'MIT' }, { LICENSE: TERMS });
    return noticesOf(`node_modules/${name}/bin/rg`).match(/^\S+ in @.*$/gm);
  });
  expect(headings).toEqual(
    platforms.map((platform) => [
      `PCRE2 in @vscode/ripgrep-${platform} 1.0.0 (BSD-3-Clause WITH PCRE2-exception)`,
      `jemalloc in @vscode/ripgrep-${platform} 1.0.0 (BSD-2-Clause)`,
      `ripgrep in @vscode/ripgrep-${platform} 1.0.0 (MIT OR Unlicense)`,
    ]),
  );
});

function noticesOf(...inputs: string[]): string {
  return thirdPartyNotices(root, inputs);
}

function addPackage(folder: string, manifest: object, files: Record<string, string> = {}): void {
  mkdirSync(path.join(root, folder), { recursive: true });
  const all = { ...files, 'package.json': JSON.stringify(manifest) };
  for (const [name, text] of Object.entries(all)) writeFileSync(path.join(root, folder, name), text);
}
