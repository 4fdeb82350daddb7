import path from 'node:path';
import { expect, test } from 'vitest';
import { checkHouse } from '#test/support/architecture/check';

const here = import.meta.dirname;

test('the house keeps its law', () => {
  expect(checkHouse(path.join(here, '..', '..', 'src'))).toEqual([]);
});

test('an arrow up, a circle of types and a vscode import in tools are all reported', () => {
  expect(checkHouse(path.join(here, 'fixtures', 'architecture'))).toEqual([
    'base/text: may not import agent/loop (base may import nothing)',
    'tools/open: may not import vscode (only editor, extension may)',
    'circle: protocol/a → protocol/b → protocol/a',
  ]);
});
