import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Reply } from '#test/support/model-server/script';

/** CRLF, a byte order mark, no final newline. */
const PRICE =
  '\ufeff// Prices in cents.\r\nexports.total = (prices) =>\r\n  prices.reduce((sum, price) => sum - price, 0);';
/** Executable. */
const CHECK = '#!/bin/sh\n# checks the total\nnode check.js\n';
const CHECK_JS = `const { total } = require('./src/price.js');
if (total([1, 2]) !== 3) { console.error('total is wrong'); process.exit(1); }
console.log('total is right');
`;
/** Reformats src/price.js, as a project's formatter would. */
const FORMAT_JS = `const fs = require('node:fs');
fs.writeFileSync('src/price.js', fs.readFileSync('src/price.js', 'utf8').replaceAll('\\r\\n', '\\n'));
console.log('formatted src/price.js');
`;

export const SHOP = {
  'package.json': `${JSON.stringify({ name: 'shop', private: true, scripts: { test: 'node check.js', format: 'node format.js' } }, null, 2)}\n`,
  'check.js': CHECK_JS,
  'format.js': FORMAT_JS,
  'src/price.js': PRICE,
  'check.sh': { bytes: CHECK, mode: 0o755 },
};

export const FIXED_PRICE = PRICE.replace('sum - price', 'sum + price');

/** Reads, searches, edits two files, runs the check: each step from what a model would see. */
export const FIX: readonly Reply[] = [
  {
    text: 'I read the code first.',
    calls: [
      { id: 'read-1', name: 'read_file', input: { path: 'src/price.js' } },
      { id: 'read-2', name: 'read_file', input: { path: 'check.sh' } },
    ],
  },
  { calls: [{ id: 'search-1', name: 'search_files', input: { pattern: 'reduce', mode: 'content' } }] },
  {
    text: 'The sum goes the wrong way.',
    calls: [
      {
        id: 'edit-1',
        name: 'edit_file',
        input: { path: 'src/price.js', oldText: 'sum - price', newText: 'sum + price' },
      },
      {
        id: 'edit-2',
        name: 'edit_file',
        input: { path: 'check.sh', oldText: '# checks the total', newText: '# checks the total of prices' },
      },
    ],
  },
  {
    calls: [
      { id: 'run-1', name: 'run_command', input: { command: 'npm test', description: 'Runs the check' } },
    ],
  },
  { text: 'The total is right now.' },
];

/** Content and permissions of a file, to compare bytes exactly. */
export function fingerprint(
  folder: string,
  name: string,
): { readonly sha256: string; readonly mode: number } {
  const file = path.join(folder, name);
  return {
    sha256: createHash('sha256').update(readFileSync(file)).digest('hex'),
    mode: statSync(file).mode & 0o777,
  };
}
