import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { messagesOf, saidMessages } from '#test/support/messages';
import { faultsOf } from '#test/support/translations';

const root = path.join(import.meta.dirname, '..', '..');

function json(file: string): Record<string, string> {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Record<string, string>;
}

const bundles = globSync('l10n/bundle.l10n.*.json', { cwd: root });
const said = saidMessages(root);

test('there is a bundle for Simplified Chinese', () => {
  expect(bundles).toEqual(['l10n/bundle.l10n.zh-cn.json']);
});

test.each(bundles)(
  '%s translates every message of the source, with the same placeholders, and no other',
  (file) => {
    expect(faultsOf([...said.messages.keys()], json(file))).toEqual([]);
  },
);

test('package.nls.zh-cn.json translates every text of package.nls.json, and no other', () => {
  const [english, chinese] = [json('package.nls.json'), json('package.nls.zh-cn.json')];
  expect(faultsOf(Object.keys(english), chinese, english)).toEqual([]);
});

test('every message is written down where it is said', () => {
  expect(said.unwritten).toEqual([]);
});

test('nothing is said while a module loads: the bundle is not known yet', () => {
  expect(said.tooEarly).toEqual([]);
});

test('the files are sorted, so that two changes meet rarely', () => {
  for (const file of bundles) expect(Object.keys(json(file))).toEqual(Object.keys(json(file)).toSorted());
});

test('messages are found by a parser: renamed imports and both forms of a count, but no comment and no other function', () => {
  const source = `
    import { counted, t as say } from '#base/l10n';
    import { t } from './elsewhere';
    // say('a comment')
    const early = say('early');
    const later = () => [say('one {0}', 1), say(\`plain\`), counted(2, '{0} file', '{0} files'), t('other')];
    const unwritten = () => say(early) + say(\`\${later}\`);
    class A { now = say('of an instance'); static soon = say('of a class'); }
  `;
  const { messages, unwritten, tooEarly } = messagesOf([{ file: 'a.ts', source }]);
  expect({ messages: [...messages], unwritten, tooEarly }).toEqual({
    messages: [
      ['early', ['a.ts:5']],
      ['one {0}', ['a.ts:6']],
      ['plain', ['a.ts:6']],
      ['{0} file', ['a.ts:6']],
      ['{0} files', ['a.ts:6']],
      ['of an instance', ['a.ts:8']],
      ['of a class', ['a.ts:8']],
    ],
    unwritten: ['a.ts:7', 'a.ts:7'],
    tooEarly: ['a.ts:5', 'a.ts:8'],
  });
});

test('a message without a translation, a stale, an empty and one with other placeholders are faults', () => {
  const messages = ['Read {0}', 'Move {0} to {1}', 'Stop', 'Open'];
  const bundle = { 'Read {0}': '读取', 'Move {0} to {1}': '将 {0} 移到 {1}', Stop: ' ', Gone: '没有' };
  expect(faultsOf(messages, bundle)).toEqual([
    'other placeholders: Read {0}',
    'empty: Stop',
    'missing: Open',
    'not said any more: Gone',
  ]);
});
