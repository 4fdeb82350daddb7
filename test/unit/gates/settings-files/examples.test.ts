import { expect, test } from 'vitest';
import { settingsLab } from './lab';

async function loaded(settings: object) {
  const text = JSON.stringify(settings, null, 1);
  const { loader } = await settingsLab({ files: { '.belay/settings.json': text } });
  for (const shown of loader.project()) await loader.answer(shown, 'accepted');
  const file = loader.current().find(({ origin }) => origin === 'project');
  return {
    allow: file?.rules.allow.map(({ text: rule }) => rule),
    deny: file?.rules.deny.map(({ text: rule }) => rule),
    problems: file?.problems.map(({ words }) => words),
  };
}

test.each([
  ['allow', 'Bash(npm run *)', ['npm run', 'npm run test'], ['npm runx', 'npm run x; rm y', 'npm']],
  ['allow', 'Bash(git status:*)', ['git status -s'], ['git statusx', 'sh -c "git status"']],
  ['deny', 'Bash(curl:*)', ['curl x', 'env curl x', 'ls; /usr/bin/curl x'], ['echo curl']],
  ['deny', 'Read(secret/**)', ['secret/a', './secret/b/c'], ['secrets/a', '../secret/a']],
  ['allow', 'Edit(src/*.ts)', ['src/a.ts'], ['src/b/c.ts', 'SRC/a.ts']],
  ['deny', 'Read(~/.ssh/**)', ['~/.ssh/id_rsa'], ['.ssh/id_rsa']],
  ['ask', 'WebFetch(domain:*.example.com)', ['a.example.com'], ['example.org', 'badexample.com']],
  ['allow', 'WebFetch(domain:example.com)', ['example.com'], ['a.example.com']],
  ['allow', '@network(npm install:*)', ['npm install x'], ['npm publish']],
  ['deny', 'edit_file(a.txt)', ['a.txt'], ['b.txt']],
])('%s %s: speaks of %j and not of %j', async (kind, rule, match, notMatch) => {
  expect(await loaded({ permissions: { [kind]: [{ rule, match, notMatch }] } })).toMatchObject({
    problems: [],
  });
});

test('a rule whose own example fails is told; as an allow it doesn’t count, as a deny it does', async () => {
  const rule = { rule: 'Bash(git push:*)', match: ['git pull'], notMatch: ['git push -q'] };
  const words = [
    'the rule Bash(git push:*) should speak of "git pull" and does not',
    'the rule Bash(git push:*) speaks of "git push -q" and should not',
  ];
  const other = 'Bash(ls)';
  expect(await loaded({ permissions: { allow: [rule, other] } })).toEqual({
    allow: [other],
    deny: [],
    problems: words,
  });
  expect(await loaded({ permissions: { deny: [rule], allow: [other] } })).toEqual({
    allow: [other],
    deny: ['Bash(git push:*)'],
    problems: words,
  });
});

test('examples may stand by themselves, for one rule or for all of the file', async () => {
  const permissions = { allow: ['Bash(npm test)', 'Bash(npm run lint)'] };
  expect(
    await loaded({
      permissions,
      examples: [
        { rule: 'Bash(npm test)', notMatch: ['npm run lint'] },
        { match: ['npm test', 'npm run lint'], notMatch: ['npm publish'] },
      ],
    }),
  ).toMatchObject({ allow: permissions.allow, problems: [] });
  expect(await loaded({ permissions, examples: [{ match: ['npm publish'] }] })).toMatchObject({
    allow: [],
    problems: ['a rule of this file should speak of "npm publish" and does not'],
  });
  expect(await loaded({ permissions, examples: [{ rule: 'Bash(npx)', match: ['npx'] }] })).toMatchObject({
    allow: permissions.allow,
    problems: ['its example belongs to no rule of this file'],
  });
});
