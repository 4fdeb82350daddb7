import { expect, test } from 'vitest';
import { policyPath, settingsPlaces } from '#gates/settings-files/places';
import type { AbsolutePath } from '#protocol/ids';
import { placedWords, placeName } from '#protocol/settings-place';

test('a file with its line, a file alone, several, and the words around them', () => {
  expect([
    placedWords('allowed by the rule Bash(npm test) (.belay/settings.json:7)'),
    placedWords(
      'denied by the hook "check.sh" (~/.claude/settings.json): no; and (.claude/settings.local.json:12)',
    ),
    placedWords('the mode workspace-write asks'),
    placedWords(''),
  ]).toEqual([
    ['allowed by the rule Bash(npm test) (', { name: '.belay/settings.json', line: 7 }, ')'],
    [
      'denied by the hook "check.sh" (',
      { name: '~/.claude/settings.json' },
      '): no; and (',
      { name: '.claude/settings.local.json', line: 12 },
      ')',
    ],
    ['the mode workspace-write asks'],
    [''],
  ]);
});

test('every name that a settings file has on any platform is one', () => {
  const names = (['linux', 'darwin', 'win32'] as const).flatMap((platform) => [
    policyPath(platform),
    ...settingsPlaces({ platform, home: '/home/me' as AbsolutePath }, '/work/p' as AbsolutePath, {
      trusted: true,
      claude: true,
    }).map(({ name }) => name),
  ]);
  expect(names.map((name) => placedWords(`(${name}:3)`)[1])).toEqual(
    names.map((name) => ({ name, line: 3 })),
  );
});

test('nothing else is one: other files, longer paths, lines that can’t be', () => {
  const words = [
    '(.env:3)',
    '(../.belay/settings.json:1)',
    '(.belay/settings.json:1;x)',
    '(.belay/settings.json:99999999)',
    '.belay/settings.json:7',
    `(${'.belay/settings.json:'.repeat(5000)})`,
  ];
  expect(words.map((text) => placedWords(text))).toEqual(words.map((text) => [text]));
});

test('nothing of the words is lost', () => {
  const words = '(/etc/belay/policy.json:1)(.belay/settings.json)';
  expect(
    placedWords(words)
      .map((part) => (typeof part === 'string' ? part : placeName(part)))
      .join(''),
  ).toBe(words);
});
