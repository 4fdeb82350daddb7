import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSettings } from '#gates/settings-files/parse';
import { rules, settingsLab } from './lab';

test('reads JSON with comments and trailing commas, and knows the line of each rule', () => {
  const text = `{
  // what the tests need
  "permissions": {
    "allow": [
      "Bash(npm test)", /* and */ "Bash(npm run build)",
    ],
    "deny": ["Read(secret/**)"],
  },
}`;
  expect(parseSettings(text)).toMatchObject({
    isWhole: true,
    problems: [],
    rules: [
      { kind: 'deny', text: 'Read(secret/**)', line: 7 },
      { kind: 'allow', text: 'Bash(npm test)', line: 5 },
      { kind: 'allow', text: 'Bash(npm run build)', line: 5 },
    ],
  });
});

test('unknown keys are ignored, in the file and among its permissions', () => {
  const text = JSON.stringify({
    $schema: 'x',
    env: { A: '1' },
    permissions: { defaultMode: 'acceptEdits', additionalDirectories: ['../x'], allow: ['Bash(ls)'] },
    sandbox: { enabled: true },
  });
  expect(parseSettings(text)).toMatchObject({ isWhole: true, problems: [], rules: [{ text: 'Bash(ls)' }] });
});

test.each(['', '  \n', '{}', '{"permissions":{}}'])('%j holds nothing and is no problem', (text) => {
  expect(parseSettings(text)).toMatchObject({ isWhole: true, problems: [], rules: [], hooks: undefined });
});

test.each([
  ['[]', 1, 'a settings file is one object', true],
  ['{\n"permissions": []}', 2, '“permissions” is not an object', true],
  ['{"permissions": {\n"deny": "Bash"}}', 2, '“deny” is not a list', true],
  ['{"permissions": {\n"allow": "Bash"}}', 2, '“allow” is not a list', false],
  ['{"permissions": {"ask": [\n5]}}', 2, 'the ask rule is not a text', true],
  ['{"permissions": {"allow": [\n{}]}}', 2, 'the allow rule is not a text', false],
  ['{\n"examples": {}}', 2, '“examples” is not a list', false],
  ['{"examples": [\n"x"]}', 2, 'an example is an object', false],
  ['{"examples": [{"match": [\n1]}]}', 2, '“match” holds something that is not a text', false],
  ['{\n"forbid": {"modes": "allow"}}', 2, '“modes” is not a list', true],
  ['{"forbid":\n5}', 2, '“forbid” is not an object', true],
])('%j: line %i: %s', (text, line, words, guards) => {
  expect(parseSettings(text).problems).toContainEqual({
    line,
    words: expect.stringContaining(words),
    guards,
  });
});

test('of a key that stands twice nothing that guards is lost', () => {
  const twice = '{"permissions":{"deny":["Bash(a)"]},"permissions":{"deny":["Bash(b)"],"deny":["Bash(c)"]}}';
  expect(parseSettings(twice).rules.map(({ text }) => text)).toEqual(['Bash(a)', 'Bash(b)', 'Bash(c)']);
});

test.each([
  ['{"permissions":{"deny":["Bash(a)","Bash(b)"', ['Bash(a)', 'Bash(b)']],
  ['{"permissions":{"deny":["Bash(a)" "Bash(b)"]}}', ['Bash(a)', 'Bash(b)']],
  ['{"permissions":{"deny":["Bash(a)"]}} trailing', ['Bash(a)']],
  ['{"x": , "permissions":{"deny":["Bash(a)"]}}', ['Bash(a)']],
  ['{\'permissions\': 1, "permissions":{"deny":["Bash(a)"]}}', ['Bash(a)']],
])('of the broken %j it reads %j and knows that it is broken', (text, found) => {
  const { rules: read, isWhole, problems } = parseSettings(text);
  expect([read.map(({ text: rule }) => rule), isWhole, problems.every(({ guards }) => guards)]).toEqual([
    found,
    false,
    true,
  ]);
  expect(problems.length).toBeGreaterThan(0);
});

test('an absurdly deep file is a problem and no crash', () => {
  const deep = `{"permissions": ${'['.repeat(300_000)}`;
  expect(parseSettings(deep)).toMatchObject({ isWhole: false, rules: [] });
  expect(parseSettings(deep).problems.length).toBeGreaterThan(0);
});

test('no text breaks it, and none is whole that JSON calls broken', () => {
  const piece = fc.constantFrom(
    ...[
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"permissions"',
      '"deny"',
      '"allow"',
      '"Bash(x)"',
      '//',
      '\n',
      '"',
      '1',
    ],
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 30 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, (written) => {
      const { isWhole, problems } = parseSettings(written);
      expect(isWhole || problems.length > 0).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('a rule that can’t be read costs itself, is told with its line, and asks where it was to guard', async () => {
  const text = rules({ deny: ['Bash(curl:*)', 'Bash('], allow: ['Bash(ls)', 'Bash(* x)'] });
  const { loader } = await settingsLab({ files: { '.belay/settings.json': text } });
  for (const shown of loader.project()) await loader.answer(shown, 'accepted');
  const [file] = loader.current().filter(({ origin }) => origin === 'project');
  expect({
    deny: file?.rules.deny.map((rule) => rule.text),
    allow: file?.rules.allow.map((rule) => rule.text),
    asks: file?.rules.problems.map(({ words }) => words),
    told: file?.problems.map(({ line }) => line),
  }).toEqual({
    deny: ['Bash(curl:*)'],
    allow: ['Bash(ls)'],
    asks: ['line 5: the deny rule "Bash(" can\'t be read: the closing bracket is missing'],
    told: [5, 9],
  });
});
