import { expect, test } from 'vitest';
import { linkTarget } from '#webview/markdown/links';

test.each([
  ['https://example.com/a?b=c', { kind: 'web', url: 'https://example.com/a?b=c' }],
  ['HTTP://example.com', { kind: 'web', url: 'HTTP://example.com' }],
  ['mailto:a@b.c', { kind: 'web', url: 'mailto:a@b.c' }],
  ['src/a.ts', { kind: 'file', path: 'src/a.ts' }],
  ['./src/a.ts', { kind: 'file', path: 'src/a.ts' }],
  ['src/a.ts:41', { kind: 'file', path: 'src/a.ts', line: 41 }],
  ['src/a.ts:41:7', { kind: 'file', path: 'src/a.ts', line: 41 }],
  ['a.ts#L7-L9', { kind: 'file', path: 'a.ts', line: 7 }],
  ['a%20b.ts', { kind: 'file', path: 'a b.ts' }],
  ['src/caf%C3%A9.ts', { kind: 'file', path: 'src/café.ts' }],
])('%s leads to %j', (href, target) => {
  expect(linkTarget(href)).toEqual(target);
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'command:workbench.action.quit',
  'vscode://x/y',
  'file:///etc/passwd',
  'data:text/html,x',
  '/etc/passwd',
  '~/x',
  'C:\\x',
  '\\\\server\\share',
  '//evil.example/x',
  'https:',
  'http:///x',
  '#anchor',
  '',
])('%s leads nowhere', (href) => {
  expect(linkTarget(href)).toBeUndefined();
});
