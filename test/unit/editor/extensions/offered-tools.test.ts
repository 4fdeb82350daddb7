import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readFile } from '#tools/files/read-file';
import { schemaOf } from '#tools/schema';
import { globFiles } from '#tools/search/glob-files';
import { searchFiles } from '#tools/search/search-files';
import type { ToolDefinition } from '#tools/tool';

const root = path.join(import.meta.dirname, '..', '..', '..', '..');
const Tools = z.object({
  contributes: z.object({
    languageModelTools: z.array(
      z.object({ name: z.string(), modelDescription: z.string(), inputSchema: z.unknown() }),
    ),
  }),
});

function contributed() {
  const text = readFileSync(path.join(root, 'package.json'), 'utf8');
  return Tools.parse(JSON.parse(text)).contributes.languageModelTools;
}

test('what package.json contributes takes exactly what the tools behind it take', () => {
  const behind = [readFile, searchFiles, globFiles] as readonly ToolDefinition[];
  expect(contributed().map(({ name, inputSchema }) => [name, inputSchema])).toEqual(
    behind.map((tool) => [`belay_${tool.name}`, schemaOf(tool).inputSchema]),
  );
});

test('what another model reads of them is no pointer into a tool list that it doesn’t have', () => {
  const ours = /\b(edit_file|run_command|read_artifact|(?<!belay_)(read|search|glob)_files?)\b/;
  expect(contributed().filter(({ modelDescription }) => ours.test(modelDescription))).toEqual([]);
});
