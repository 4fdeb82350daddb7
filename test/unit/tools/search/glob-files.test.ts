import { symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toolBench } from '#test/support/tool-context';
import { globFiles } from '#tools/search/glob-files';
import { searchFiles } from '#tools/search/search-files';

const content = async (bench: ReturnType<typeof toolBench>, input: object) =>
  (await bench.call(globFiles, input)).content;

test('lists newest first', async () => {
  const bench = toolBench({ 'old.ts': '', 'new.ts': '', 'mid.ts': '' });
  for (const [index, name] of ['old.ts', 'mid.ts', 'new.ts'].entries())
    utimesSync(bench.folder.at(name), 1000 + index, 1000 + index);
  expect(await content(bench, { pattern: '*.ts' })).toBe('new.ts\nmid.ts\nold.ts');
});

test('lists a large file and an empty one: only a search leaves out by size', async () => {
  const bench = toolBench({ 'large.log': 'x'.repeat(2_000_000), 'empty.log': '' });
  expect((await content(bench, { pattern: '*.log' })).split('\n').sort()).toEqual(['empty.log', 'large.log']);
});

test.each([
  ['*.md', ['a.md']],
  ['**/*.md', ['a.md', 'docs/b.md', 'docs/deep/c.md']],
  ['docs/*.md', ['docs/b.md']],
  ['./docs/**', ['docs/b.md', 'docs/deep/c.md', 'docs/x.txt']],
  ['d?cs/*', ['docs/b.md', 'docs/x.txt']],
  ['docs/{b.md,x.txt}', ['docs/b.md', 'docs/x.txt']],
  ['[ab].md', ['a.md']],
  ['docs/b.md', ['docs/b.md']],
  ['{docs,none}/x.txt', ['docs/x.txt']],
  ['{docs/deep/*.md,*.md}', ['a.md', 'docs/deep/c.md']],
])('understands %s', async (pattern, expected) => {
  const bench = toolBench({ 'a.md': '', 'docs/b.md': '', 'docs/deep/c.md': '', 'docs/x.txt': '' });
  expect((await content(bench, { pattern })).split('\n').sort()).toEqual(expected);
});

test('takes parentheses and route folders in brackets as they stand', async () => {
  const bench = toolBench({ 'app/[id]/page.tsx': '', 'app/(group)/page.tsx': '', 'app/i/page.tsx': '' });
  expect((await content(bench, { pattern: 'app/[id]/*.tsx' })).split('\n').sort()).toEqual([
    'app/[id]/page.tsx',
    'app/i/page.tsx',
  ]);
  expect(await content(bench, { pattern: 'app/(group)/*' })).toBe('app/(group)/page.tsx');
});

test('takes the pattern relative to path', async () => {
  const bench = toolBench({ 'docs/b.md': '', 'b.md': '' });
  expect(await content(bench, { pattern: '*.md', path: 'docs' })).toBe('docs/b.md');
});

test('SE-04 leaves out what is ignored and what tools fetch', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 150 }, (_, index) => [`node_modules/m${index}/x.md`, '']),
  );
  const bench = toolBench({
    ...files,
    '.gitignore': 'node_modules/\n*.log\n',
    'a.md': '',
    'b/c.md': '',
    'd.md': '',
    'e.log': '',
  });
  expect((await content(bench, { pattern: '**/*.md' })).split('\n').sort()).toEqual([
    'a.md',
    'b/c.md',
    'd.md',
  ]);
  expect(await content(bench, { pattern: '*.log' })).toMatch(/^No files fit/);
});

test('PA-15 lists a folder that is itself ignored when it is named', async () => {
  const bench = toolBench({ '.gitignore': 'dist/*\n', 'dist/a.js': '', 'dist/b.js': '' });
  expect((await content(bench, { pattern: '*', path: 'dist' })).split('\n').sort()).toEqual([
    'dist/a.js',
    'dist/b.js',
  ]);
  expect((await content(bench, { pattern: 'dist/*.js' })).split('\n').sort()).toEqual([
    'dist/a.js',
    'dist/b.js',
  ]);
});

test('says how to look further when nothing fits', async () => {
  const bench = toolBench({ 'src/a.ts': '' });
  expect(await content(bench, { pattern: '*.ts' })).toBe(
    'No files fit "*.ts" in the workspace. "**/*.ts" looks at any depth. Ignored files and build folders were left out (includeIgnored adds them).',
  );
  expect(await content(bench, { pattern: 'none/*.ts' })).toMatch(/^No files fit/);
});

test('stops at the limit and says that there is more', async () => {
  const bench = toolBench({ a: '', b: '', c: '' });
  const text = await content(bench, { pattern: '*', limit: 2 });
  expect(text).toMatch(
    /^\w\n\w\n\n\(the newest 2 files, there are more; narrow the pattern or raise limit\)$/,
  );
  expect((await content(bench, { pattern: '*', limit: 3 })).split('\n').sort()).toEqual(['a', 'b', 'c']);
});

test.each([
  ['../*', /contains "\.\."/],
  ['/etc/*', /is absolute/],
  ['a/../../*', /contains "\.\."/],
])('refuses %s', async (pattern, why) => {
  expect(await content(toolBench(), { pattern })).toMatch(why);
});

test('ED-25 ED-29 names with line feeds, dashes and accents are listed once', async () => {
  const bench = toolBench({ 'a\nb': '', '-n': '', 'Spe\u0301cs': '', ' x': '' });
  expect((await content(bench, { pattern: '*' })).split('\n').sort()).toEqual(
    [' x', '"a\\nb"', '-n', 'Spe\u0301cs'].sort(),
  );
  expect(await content(bench, { pattern: 'Sp\u00e9cs' })).toBe('Spe\u0301cs');
});

test.each(['**', '**/*', '*/*', '*/**', '**/x'])('%s takes names with line feeds', async (pattern) => {
  const bench = toolBench({ 'n\nd/x': '' });
  expect(await content(bench, { pattern })).toBe('"n\\nd/x"');
});

test('does not follow a folder that is a link', async () => {
  const bench = toolBench({ 'real/a': '' });
  symlinkSync('real', bench.folder.at('link'));
  expect(await content(bench, { pattern: '**' })).toBe('real/a');
});

test('refuses a pattern that a name could be made for to hold everything up', async () => {
  const bench = toolBench({ 'a.ts': '', 'b.js': '', [`${'a'.repeat(200)}`]: '' });
  const slow = ['*a*a*a*a*a*[b]', '**/a/**/a/**/a/**/a/**/b', '{*a*a*a*a*,b}'];
  const words = await Promise.all(
    slow.map(async (pattern) => (await bench.call(globFiles, { pattern })).content),
  );
  expect(words.map((text) => text.replace(/^.*" has/, 'has'))).toEqual(
    slow.map(() => 'has more than 3 * in one name, or more than 4 **; use fewer'),
  );
  const fine = await bench.call(globFiles, { pattern: '**/{*.ts,*.tsx,*.js,*.jsx}' });
  expect(fine.content.split('\n').sort()).toEqual(['a.ts', 'b.js']);
});

test('classes may be negated or named; slashes that say nothing are passed over; one at the end means what is inside', async () => {
  const bench = toolBench({
    'src/a.ts': '',
    'src/b.ts': '',
    'src/1.ts': '',
    'src/d/e.ts': '',
    '[!a].ts': '',
  });
  const listed = async (pattern: string) =>
    (await bench.call(globFiles, { pattern })).content.split('\n').sort();
  expect(await listed('src/[!a].ts')).toEqual(['src/1.ts', 'src/b.ts']);
  expect(await listed('src/[[:digit:]].ts')).toEqual(['src/1.ts']);
  expect(await listed('[!a].ts')).toEqual(['[!a].ts']);
  expect(await listed('././/src//*.ts')).toEqual(['src/1.ts', 'src/a.ts', 'src/b.ts']);
  expect(await listed('src/d/')).toEqual(['src/d/e.ts']);
});

test('braces without a comma are ranges or plain, as the whole glob takes them', async () => {
  const bench = toolBench({ 'a{b}.txt': '', 'ab.txt': '', 'f1.ts': '', 'f2.ts': '', 'f9.ts': '' });
  const listed = async (pattern: string) =>
    (await bench.call(globFiles, { pattern })).content.split('\n').sort();
  expect([await listed('a{b}.txt'), await listed('f{1..3}.ts'), await listed('f{1,9}.ts')]).toEqual([
    ['a{b}.txt'],
    ['f1.ts', 'f2.ts'],
    ['f1.ts', 'f9.ts'],
  ]);
});

test('finds the one file that fits behind 2 MB of names that do not, in every search', async () => {
  const bench = toolBench({ 'old/target.ts': 'needle' });
  utimesSync(bench.folder.at('old/target.ts'), 1, 1);
  for (let index = 0; index < 9000; index++)
    writeFileSync(bench.folder.at(`${'n'.repeat(240)}${index}.js`), 'needle');
  const typing = bench.folder.at('old/target.ts');
  bench.host.dirty.set(typing, 'typed');
  const glob = { pattern: 'needle', glob: '**/[t]arget.*' };
  expect([
    await content(bench, { pattern: '{old,new}/*' }),
    await content(bench, { pattern: '**/*.[t]s' }),
    (await bench.call(searchFiles, { ...glob, pattern: 'typed' })).content,
    bench.host.dirty.delete(typing) && (await bench.call(searchFiles, glob)).content,
  ]).toEqual([
    'old/target.ts',
    'old/target.ts',
    'old/target.ts\n\n(with unsaved editor text of old/target.ts)',
    'old/target.ts',
  ]);
});
