import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editorName, registeredName } from '#editor/extensions/tool-name';
import { BUILTIN_TOOLS } from '#tools/builtin';

test('names say where a tool comes from', () => {
  expect([
    registeredName('Acme.jira-tools', 'find_issue'),
    editorName('getWeather'),
    editorName('github-pull-request_issue_fetch'),
  ]).toEqual(['ext__acme_jira_tools__find_issue', 'lm__getWeather', 'lm__github-pull-request_issue_fetch']);
});

test('every name is legal for every provider, whatever it was', () => {
  const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 });
  const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,39}$/);
  fc.assert(
    fc.property(word, name, (given, own) => {
      const legal = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
      expect([registeredName(given, own), editorName(given)].every((made) => legal.test(made))).toBe(true);
    }),
  );
});

test('two names that are cleaned or cut alike stay apart', () => {
  const long = 'x'.repeat(70);
  const made = ['a b', 'a.b', 'a_b', `${long}1`, `${long}2`].map(editorName);
  expect(new Set(made).size).toBe(made.length);
});

test('no tool of ours and none of a server’s begins so', () => {
  const ours = BUILTIN_TOOLS.map(({ name }) => name);
  expect(ours.filter((name) => /^(ext|lm)__/.test(name))).toEqual([]);
});
