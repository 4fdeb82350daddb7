import { chmodSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { AbsolutePath } from '#protocol/ids';
import { toolBench } from '#test/support/tool-context';
import { readFile } from '#tools/files/read-file';
import { globFiles } from '#tools/search/glob-files';
import { searchFiles } from '#tools/search/search-files';

const content = async (bench: ReturnType<typeof toolBench>, input: object) =>
  (await bench.call(searchFiles, input)).content;

test('lists the files that match, by path', async () => {
  const bench = toolBench({ 'b.ts': 'needle\n', 'a.ts': 'x\nneedle\n', 'c.ts': 'nothing\n' });
  const result = await bench.call(searchFiles, { pattern: 'needle' });
  expect(result).toEqual({
    version: 1,
    status: 'success',
    content: 'a.ts\nb.ts',
    display: { kind: 'search', title: '"needle"', fields: [], body: 'a.ts\nb.ts', hits: 2, files: 2 },
  });
});

test('shows lines with context, and where lines are left out between', async () => {
  const bench = toolBench({ 'a.ts': 'one\ntwo\nneedle\nfour\nfive\nsix\nseven\nneedle\n' });
  expect(await content(bench, { pattern: 'needle', mode: 'content', context: 1 })).toBe(
    'a.ts\n  2- two\n  3: needle\n  4- four\n  --\n  7- seven\n  8: needle',
  );
  expect(await content(bench, { pattern: 'needle', mode: 'content', after: 1, limit: 1 })).toMatch(
    /^a\.ts\n {2}3: needle\n {2}4- four/,
  );
});

test('counts lines that match', async () => {
  const bench = toolBench({ 'a.ts': 'x\nx\ny\n', 'b.ts': 'x\n' });
  expect(await content(bench, { pattern: 'x', mode: 'count' })).toBe('a.ts: 2\nb.ts: 1');
});

test('SE-01 takes a pattern that begins with a dash as a pattern, and a path likewise', async () => {
  const bench = toolBench({ '-a.txt': '-1\n--release\n->foo\n--pre=sh\n' });
  for (const pattern of ['-1', '--release', '->foo', '--pre=sh'])
    expect(await content(bench, { pattern, path: '-a.txt', mode: 'content' })).toContain(`: ${pattern}`);
});

test.each(['search_files', 'glob_files'])(
  'SE-01 without ripgrep %s fails in words and never says that nothing was found',
  async (tool) => {
    const bench = toolBench({ 'a.txt': '--release\n' });
    const context = {
      ...bench.context,
      environment: { ...bench.context.environment, ripgrep: '/nowhere/rg' as AbsolutePath },
    };
    const run =
      tool === 'search_files'
        ? searchFiles.execute({ pattern: '--release' }, context)
        : globFiles.execute({ pattern: '*' }, context);
    await expect(run).rejects.toThrow(
      `${tool}: the search program that belongs to Belay can't be started (ENOENT); tell the user`,
    );
  },
);

test('SE-03 searches an ignored folder when it is named, and says what was skipped when not', async () => {
  const bench = toolBench({
    '.gitignore': 'scripts/*\n*.log\n',
    'scripts/w.py': 'needle\n',
    'app.log': 'needle\n',
  });
  expect(await content(bench, { pattern: 'needle', path: 'scripts' })).toBe('scripts/w.py');
  expect(await content(bench, { pattern: 'needle', path: 'app.log' })).toBe('app.log');
  expect(await content(bench, { pattern: 'needle' })).toMatch(
    /^No matches for "needle" in the workspace\. Ignored files, build folders/,
  );
  expect(await content(bench, { pattern: 'needle', includeIgnored: true })).toBe('app.log\nscripts/w.py');
});

test('a glob or a type does not bring ignored files back', async () => {
  const bench = toolBench({
    '.gitignore': '*.log\ngen/\n',
    'a.log': 'x',
    'gen/b.ts': 'x',
    'src/c.ts': 'x',
    'src/c.js': 'x',
  });
  expect(await content(bench, { pattern: 'x', glob: '*.log' })).toMatch(/^No matches/);
  expect(await content(bench, { pattern: 'x', glob: '**/*.ts' })).toBe('src/c.ts');
  expect(await content(bench, { pattern: 'x', glob: 'src/*.{ts,js}' })).toBe('src/c.js\nsrc/c.ts');
  expect(await content(bench, { pattern: 'x', type: 'js', glob: 'src/*' })).toBe('src/c.js');
});

test('skips build folders and .git, searches hidden files', async () => {
  const bench = toolBench({
    'node_modules/m/x.js': 'x',
    '.git/config': 'x',
    'a/dist/x.js': 'x',
    '.hidden/x': 'x',
  });
  expect(await content(bench, { pattern: 'x' })).toBe('.hidden/x');
  expect(await content(bench, { pattern: 'x', path: 'node_modules/m' })).toBe('node_modules/m/x.js');
  expect(await content(bench, { pattern: 'x', includeIgnored: true })).toBe(
    '.hidden/x\na/dist/x.js\nnode_modules/m/x.js',
  );
});

test('SE-06 shows a window around the match of a long line', async () => {
  const bench = toolBench({ 'min.js': `${'a'.repeat(4000)}needle${'b'.repeat(1000)}\n` });
  const text = await content(bench, { pattern: 'needle', mode: 'content', context: 1 });
  expect(text).toMatch(/^min\.js\n {2}1: …\(3900 characters\) a{100}needleb+ …\(\d+ characters\)$/);
});

test('a glob with ! leaves files out', async () => {
  const bench = toolBench({ 'a.ts': 'needle', 'd/b.ts': 'needle', 'c.md': 'needle', 'd/e.md': 'needle' });
  expect(await content(bench, { pattern: 'needle', glob: '!*.ts' })).toBe('c.md\nd/e.md');
  expect(await content(bench, { pattern: 'needle', glob: '!d/**' })).toBe('a.ts\nc.md');
});

test('SE-09 gives ripgrep’s reason for a wrong pattern and finds it as plain text', async () => {
  const bench = toolBench({ 'a.ts': 'foo(|bar\nfoo(\nrow_to_json(t)\n{"a"\n.html(json.data)\n' });
  const wrong = await bench.call(searchFiles, { pattern: 'foo(|bar' });
  expect(wrong).toMatchObject({
    status: 'error',
    content: expect.stringMatching(
      /^search_files: ripgrep says: regex parse error[\s\S]*unclosed group\nSet literal/,
    ),
  });
  for (const pattern of ['foo(|bar', 'foo(', 'row_to_json(t)', '{"a"'])
    expect(await content(bench, { pattern, literal: true, mode: 'content' })).toContain(`: ${pattern}`);
  expect(await content(bench, { pattern: 'row_to_json(t)' })).toMatch(
    /^No matches.* 1 file holds it as plain text: set literal/,
  );
});

test('SE-09 searches over lines when the pattern names a line feed, in CRLF files as well', async () => {
  const bench = toolBench({ 'lf.js': 'x => {\n   break;\n', 'crlf.js': 'x => {\r\n   break;\r\n' });
  expect(await content(bench, { pattern: '=> \\{\\n *break;' })).toBe('crlf.js\nlf.js');
  expect(await content(bench, { pattern: '=> {\n   break;', literal: true, mode: 'content' })).toBe(
    'crlf.js\n  1: x => {\n  2:    break;\n\nlf.js\n  1: x => {\n  2:    break;',
  );
});

test('skips binary files and files over 1 MB unless named', async () => {
  const bench = toolBench({
    'a.bin': Buffer.from('needle\n\0'),
    'big.txt': `${'x\n'.repeat(600_000)}needle\n`,
  });
  expect(await content(bench, { pattern: 'needle' })).toMatch(/^No matches/);
  expect(await content(bench, { pattern: 'needle', path: 'big.txt', mode: 'content' })).toBe(
    'big.txt\n  600001: needle',
  );
});

test('stops at the limit and says that there is more', async () => {
  const files = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`f${index}.txt`, 'x\n']));
  const bench = toolBench(files);
  const names = (text: string) => text.split('\n').filter((line) => line.endsWith('.txt')).length;
  const first = await content(bench, { pattern: 'x' });
  expect([names(first), /\(the first 50 files, there are more; /.test(first)]).toEqual([50, true]);
  expect(names(await content(bench, { pattern: 'x', limit: 5000 }))).toBe(100);
  const lines = await content(bench, { pattern: 'x', mode: 'content', limit: 3 });
  expect(lines.match(/: x/g)).toHaveLength(3);
});

test('searches the unsaved text of editors instead of what is on disk', async () => {
  const bench = toolBench({
    'a.ts': 'old\n',
    'b.ts': 'old\n',
    '.gitignore': 'ignored.ts\n',
    'ignored.ts': 'old\n',
  });
  bench.host.dirty.set(bench.folder.at('a.ts'), 'new\r\n');
  bench.host.dirty.set(bench.folder.at('ignored.ts'), 'new\n');
  expect(await content(bench, { pattern: 'old' })).toBe('b.ts\n\n(with unsaved editor text of a.ts)');
  expect(await content(bench, { pattern: 'new', mode: 'content' })).toBe(
    'a.ts\n  1: new\n\n(with unsaved editor text of a.ts)',
  );
  expect(await content(bench, { pattern: 'new', mode: 'count', path: 'a.ts' })).toMatch(/^a\.ts: 1/);
  expect(await content(bench, { pattern: 'new', type: 'py' })).toMatch(/^No matches/);
});

test('does not look into likely secrets unless they are named', async () => {
  const bench = toolBench({ '.env': 'KEY=needle', 'sub/.aws/credentials': 'needle', 'a.ts': 'needle' });
  expect(await content(bench, { pattern: 'needle' })).toBe('a.ts');
  expect(await content(bench, { pattern: 'needle', includeIgnored: true })).toBe('a.ts');
  expect(await content(bench, { pattern: 'needle', path: '.env' })).toBe('.env');
});

test('leaves out what the rules do not let it read', async () => {
  const bench = toolBench(
    { 'secrets/a': 'needle', '.env': 'needle', b: 'needle' },
    { context: { mayRead: (path) => !path.startsWith('secrets/') } },
  );
  expect(await content(bench, { pattern: 'needle' })).toBe('.env\nb');
  expect(await content(bench, { pattern: 'needle', mode: 'content' })).not.toContain('secrets');
});

test('follows no link, survives strange names and unreadable files', async () => {
  const bench = toolBench({ 'a\nb.txt': 'needle\n', 'locked.txt': 'needle\n' });
  symlinkSync('a\nb.txt', bench.folder.at('link'));
  chmodSync(bench.folder.at('locked.txt'), 0);
  const found = await content(bench, { pattern: 'needle' });
  expect(found.split('\n').filter((line) => line !== 'locked.txt')).toEqual(['"a\\nb.txt"']);
  expect(await content(bench, { pattern: 'needle', mode: 'count', glob: 'a*' })).toBe('"a\\nb.txt": 1');
});

test('shows lines that are not UTF-8 as far as they can be shown', async () => {
  const bench = toolBench({ 'latin.txt': Buffer.from('caf\xe9 needle\n', 'latin1') });
  expect(await content(bench, { pattern: 'needle', mode: 'content' })).toBe(
    'latin.txt\n  1: caf\ufffd needle',
  );
});

test('names the rule for a path, glob or type that is no use', async () => {
  const bench = toolBench({ 'a.txt': '' });
  expect(await content(bench, { pattern: 'x', path: 'nothing' })).toBe(
    'search_files: "nothing" does not exist; find it with glob_files',
  );
  expect(await content(bench, { pattern: 'x', path: '../x' })).toMatch(/outside the workspace/);
  expect(await content(bench, { pattern: 'x', glob: '../*' })).toMatch(/contains "\.\."/);
  expect(await content(bench, { pattern: 'x', type: 'klingon' })).toMatch(/unrecognized file type: klingon/);
  expect(await content(bench, { pattern: 'a\0b' })).toMatch(/NUL character/);
});

test('bounds what it shows', async () => {
  const bench = toolBench({
    'a.txt': `${`${'é'.repeat(390)}needle\n`.repeat(200)}`,
    'b.txt': `${`${'é'.repeat(390)}needle\n`.repeat(200)}`,
  });
  const text = await content(bench, { pattern: 'needle', mode: 'content', limit: 100 });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50 * 1024);
});

test('search hits do not count as having read a file', async () => {
  const bench = toolBench({ 'a.txt': 'needle\n' });
  await content(bench, { pattern: 'needle', mode: 'content' });
  expect(bench.context.reads.seen('a.txt' as never)).toBeUndefined();
  await bench.call(readFile, { path: 'a.txt' });
  expect(bench.context.reads.seen('a.txt' as never)).toBeDefined();
});

test('stops when the user cancels', async () => {
  const stop = new AbortController();
  const bench = toolBench({ 'a.txt': 'x' }, { context: { signal: stop.signal } });
  stop.abort();
  await expect(searchFiles.execute({ pattern: 'x' }, bench.context)).rejects.toThrow(/abort/i);
});

test('a match in a line of 10 MB is shown with its place', async () => {
  const bench = toolBench({ 'a.js': `${'x'.repeat(5e6)}needle${'y'.repeat(5e6)}needle\nneedle two\n` });
  const found = await content(bench, { pattern: 'need.e', path: 'a.js', mode: 'content' });
  expect(found).toBe('a.js\n  1: …(5000000 bytes) needle\n  1: …(10000006 bytes) needle\n  2: needle');
  expect(await content(bench, { pattern: 'x+', path: 'a.js', mode: 'content' })).toMatch(
    /^a\.js\n {2}1: x{400}/,
  );
  expect(await content(bench, { pattern: 'need.e', path: 'a.js', mode: 'content', limit: 1 })).toBe(
    'a.js\n  1: …(5000000 bytes) needle\n\n(the first 1 match, there are more; narrow the search or raise limit)',
  );
});

test('SE-09 of ripgrep’s reason its flags are left out: the model can set none', async () => {
  const bench = toolBench({ 'a.ts': 'x' });
  expect([await content(bench, { pattern: '(?=x)' }), await content(bench, { pattern: '\\x00' })]).toEqual([
    'search_files: ripgrep says: regex parse error:\n    (?:(?=x))\n       ^^^\nerror: look-around, including look-ahead and look-behind, is not supported\nSet literal to find the pattern as plain text.',
    'search_files: ripgrep says: pattern contains "\\0" but it is impossible to match',
  ]);
});

test('a filter that names a folder takes or leaves all that is in it', async () => {
  const bench = toolBench({ 'a.ts': 'needle', 'd/b.ts': 'needle', 'e/d/f/c.ts': 'needle' });
  const filtered = (glob: string) => content(bench, { pattern: 'needle', glob });
  expect(await Promise.all(['d/', '!d', '!d/', '!e/d', '!e/d/'].map(filtered))).toEqual([
    'd/b.ts\ne/d/f/c.ts',
    'a.ts',
    'a.ts',
    'a.ts\nd/b.ts',
    'a.ts\nd/b.ts',
  ]);
  expect(await filtered('')).toBe('search_files: glob is empty; "**/*" finds every file');
});

test('finds carriage returns when the pattern names one', async () => {
  const bench = toolBench({ 'crlf.txt': 'one\r\ntwo\r\n', 'lf.txt': 'one\n', 'cr.txt': 'a\rb' });
  const found = (pattern: string, literal = false) => content(bench, { pattern, literal, mode: 'count' });
  expect(await Promise.all([found('\\r'), found('\\r$'), found('\r', true), found('one\\r')])).toEqual([
    'cr.txt: 1\ncrlf.txt: 2',
    'crlf.txt: 2',
    'cr.txt: 1\ncrlf.txt: 2',
    'crlf.txt: 1',
  ]);
  expect(await found('e\\r\\ntwo')).toMatch(/^crlf\.txt: /);
});
