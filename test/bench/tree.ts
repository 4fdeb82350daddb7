import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const PER_FOLDER = 100;

/** Fills a folder with `count` small source files, a hundred in each of its folders. Says their relative paths. */
export function makeTree(folder: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `part-${Math.floor(index / PER_FOLDER)}/module-${index}.ts`;
    if (index % PER_FOLDER === 0) mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), sourceOf(index));
    return name;
  });
}

function sourceOf(index: number): string {
  const lines = Array.from(
    { length: 12 },
    (_, line) => `export const value${line} = compute(${index}, ${line});`,
  );
  return `// Module ${index}\n${lines.join('\n')}\n`;
}
