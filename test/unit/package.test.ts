import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runQuietly } from '#scripts/bootstrap/process.mjs';
import { bundleForNode } from '#scripts/build/node-bundle.mjs';
import { root, stageExtension } from '#scripts/vsix';

let stage = '';

beforeAll(async () => {
  stage = mkdtempSync(path.join(os.tmpdir(), 'belay-stage-'));
  await stageExtension(stage);
}, 60_000);

afterAll(() => rmSync(stage, { recursive: true, force: true }));

test('the package holds what runs and nothing else', async () => {
  const vsce = path.join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const listed = await runQuietly(process.execPath, [vsce, 'ls', '--no-dependencies'], {
    cwd: stage,
    what: 'Listing the package',
  });
  const files = listed.trim().split('\n').map(withoutHash);
  const binary = process.platform === 'win32' ? 'rg.exe' : 'rg';
  expect([...new Set(files)].sort()).toEqual(
    [
      ...['CHANGELOG.md', 'LICENSE', 'README.md', 'ThirdPartyNotices.txt', 'package.json'],
      ...['dist/extension.js', 'dist/chunks/*.js', 'dist/webview.js', 'dist/webview.css', 'dist/codicon.ttf'],
      `dist/bin/${binary}`,
      'docs/mcp.md',
      ...['package.nls.json', 'package.nls.zh-cn.json', 'l10n/bundle.l10n.zh-cn.json'],
      ...(process.platform === 'linux' ? ['dist/bin/pty.node'] : []),
      ...['dark', 'light'].flatMap((theme) => [`media/tab-${theme}.svg`, `media/tab-waiting-${theme}.svg`]),
      ...['media/belay.svg', 'media/icon.png', 'media/languages/mcp-content.tmLanguage.json'],
      ...['media/sample/README.md', 'media/sample/package.json', 'media/sample/scripts/format.js'],
      ...['discount', 'main', 'money', 'order', 'receipt'].map((name) => `media/sample/src/${name}.js`),
      ...['discount', 'money', 'receipt'].map((name) => `media/sample/test/${name}.test.js`),
    ].sort(),
  );
});

test('what loads with the window holds no package but the one for words, and the editor’s API once', async () => {
  const entry = { root, name: 'extension', file: 'src/extension.ts', chunks: 'chunks', production: true };
  const built = await bundleForNode(entry);
  const texts = built.map(({ contents }) => new TextDecoder().decode(contents));
  const inputs = built.find(({ name }) => name === 'extension.js')?.inputs ?? [];
  expect({
    packages: [...new Set(packages(inputs))],
    requires: Math.max(...texts.map((text) => text.split(/require\(["']vscode["']\)/).length - 1)),
  }).toEqual({ packages: ['@vscode/l10n'], requires: 1 });
}, 60_000);

test('the notices name every package that is in a bundle, and what is copied', async () => {
  const node = await bundled(
    ['src/extension.ts', 'src/models/demo/trial/worker.ts', 'src/tools/formats/pdf-worker.ts'],
    'node',
  );
  const panel = await bundled(['src/webview/main.tsx'], 'browser');
  const copied = [
    `@vscode/ripgrep-${process.platform}-${process.arch}`,
    ...(process.platform === 'linux' ? [`@lydell/node-pty-linux-${process.arch}`] : []),
    ...['ripgrep', 'PCRE2', 'jemalloc', 'pdf.js', 'secure-json-parse', 'zod-to-json-schema'],
  ];
  const named = [...notices().matchAll(/^={100}\n\n(\S+) (?:in )?\S.* \(.+\)$/gm)].map((match) => match[1]);
  expect([...new Set(named)].sort()).toEqual([...new Set([...node, ...panel, ...copied])].sort());
});

test("the notices hold the terms' full texts and nothing of this machine", () => {
  const text = notices();
  const copied = [...['@vscode/codicons', 'unpdf', 'diff', 'unbash'].map((name) => `${name}/LICENSE`)];
  const lines = copied.flatMap((name) =>
    readFileSync(path.join(root, 'node_modules', name), 'utf8').split('\n'),
  );
  const lost = lines
    .map((line) => line.replace('\uFEFF', '').trimEnd())
    .filter((line) => !text.includes(line));
  const machine = [root, os.homedir(), 'node_modules'].filter((place) => text.includes(place));
  const apache = text.split('TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION').length - 1;
  // Once at the end, and once in the MCP SDK's own file, whose wording differs.
  expect({ lost, machine, apache }).toEqual({ lost: [], machine: [], apache: 2 });
});

function notices(): string {
  return readFileSync(path.join(stage, 'ThirdPartyNotices.txt'), 'utf8');
}

/** The packages that esbuild itself finds from these files on, without the ways of our build. */
async function bundled(entryPoints: string[], platform: 'node' | 'browser'): Promise<string[]> {
  const { metafile } = await build({
    ...{
      absWorkingDir: root,
      entryPoints,
      platform,
      outdir: stage,
      bundle: true,
      write: false,
      metafile: true,
    },
    ...{ format: 'esm', external: ['vscode'], loader: { '.ttf': 'file' }, logLevel: 'error' },
    ...{
      jsx: 'automatic',
      jsxImportSource: 'preact',
      alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    },
  });
  return packages(Object.keys(metafile.inputs));
}

function packages(inputs: readonly string[]): string[] {
  return inputs.flatMap((input) => {
    const [, inside] = input.split(/.*node_modules\//);
    const parts = inside?.split('/') ?? [];
    return inside ? [parts.slice(0, inside.startsWith('@') ? 2 : 1).join('/')] : [];
  });
}

/** Chunks are named for what they hold and its hash: which there are is not this list's business. */
function withoutHash(file: string): string {
  return file.replace(/^dist\/chunks\/[^/]+\.js$/, 'dist/chunks/*.js');
}
