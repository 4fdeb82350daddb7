// Tidies sources: `npm run format [-- FILE…]`. No tabs, no blanks at a line's end, one line break at the file's end.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const named = process.argv.slice(2);
const files = named.length > 0 ? named : ['src', 'test'].flatMap(sources);

for (const file of files) {
  const before = readFileSync(file, 'utf8');
  const after = `${before.replaceAll('\t', '  ').replace(/[ ]+$/gm, '').trimEnd()}\n`;
  if (after === before) continue;
  writeFileSync(file, after);
  console.log(`formatted ${file}`);
}

function sources(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => path.join(folder, name));
}
