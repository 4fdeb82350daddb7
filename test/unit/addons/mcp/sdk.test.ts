import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

const root = path.join(import.meta.dirname, '..', '..', '..', '..');
const manifest = z.object({ dependencies: z.record(z.string(), z.string()) });
const SERVES = /\bcreate(Secure|Http2?)?Server\s*\(|from '@modelcontextprotocol\/(sdk|server)/;

test('CVE-2025-66414 advisory 60: the SDK is of the line after the hole, only its client ships, and no local server is opened for MCP', () => {
  const { dependencies } = manifest.parse(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')));
  const sdks = Object.entries(dependencies).filter(([name]) => name.startsWith('@modelcontextprotocol/'));
  expect(sdks).toEqual([['@modelcontextprotocol/client', expect.stringMatching(/^(?:[2-9]|\d\d)\./)]]);
  const sources = globSync('src/{addons,editor}/**/*.ts', { cwd: root });
  const serving = sources.filter((file) => SERVES.test(readFileSync(path.join(root, file), 'utf8')));
  expect([sources.length > 100, serving]).toEqual([true, []]);
});
