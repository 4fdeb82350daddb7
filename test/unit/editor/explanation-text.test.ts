import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { explanationText } from '#editor/explanation-text';
import { coreLab } from '#test/support/core-lab';

/** The page for a command in a fresh session of a folder with these files. */
async function page(command: string, workspace: Record<string, string> = {}): Promise<string> {
  const { session } = await coreLab({ workspace });
  const explained = await session.explain(command);
  // Which sandbox there is, is the machine's.
  return explanationText(command, { ...explained, sandbox: { active: true, words: 'sandboxed' } });
}

test('a command that asks: the verdict, each part with its class, gate by gate', async () => {
  expect(await page('cat a.txt && make "two words"', { 'a.txt': '' })).toBe(
    `Belay would ask before it runs this.

    cat a.txt && make "two words"

Classify    execute
            read-only       cat a.txt
            execute         make "two words"
                              make may run anything
Hooks       none for commands
Permission  the mode workspace-write asks
Sandbox     sandboxed

Mode: Workspace write. Nothing was run, and no hook was asked.
`,
  );
});

test('one that only reads goes unasked, and says so', async () => {
  const text = await page('git status');
  expect(text.split('\n')[0]).toBe('Belay would run this without asking.');
});

test('one that is forbidden reaches no further gate', async () => {
  const text = await page('cd /tmp; sudo rm -rf /');
  expect(text.split('\n')[0]).toBe('Belay never runs this, whatever the settings say.');
  expect(text.match(/not reached/g)?.length).toBe(3);
});

test('a rule of the project is named with its line, and so are the hooks that would be asked', async () => {
  const settings = `{
  "permissions": { "deny": ["Bash(git push:*)"] }
}`;
  const lab = await coreLab({
    workspace: { '.belay/settings.json': settings },
    settings: {
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: './check.sh' }] }] },
    },
  });
  const text = explanationText('git push', await lab.session.explain('git push'));
  expect(text).toContain('Permission  denied by the rule Bash(git push:*) (.belay/settings.json:2)');
  expect(text).toContain('Hooks       would be asked: "./check.sh" (user settings)');
  expect(text).toContain('Sandbox     not reached');
});

test('nothing is run, asked or recorded for it', async () => {
  const lab = await coreLab({ workspace: { 'a.txt': 'kept' } });
  const before = lab.session.events().length;
  await lab.session.explain('rm a.txt; touch b.txt');
  const files = readdirSync(lab.folder.path);
  expect([files, lab.session.events().length]).toEqual([['a.txt'], before]);
});

test.each([
  ['empty', ''],
  ['unfinished', 'echo "open'],
  ['invisible', 'rm\u202e -rf\u200b x'],
  ['many lines', 'a\n'.repeat(3000)],
  ['a huge word', 'x'.repeat(90_000)],
])('worst input: %s', async (_, command) => {
  const text = await page(command);
  expect(text).toMatch(/^Belay would (?:ask before it runs|not run) this\.|^Belay never/);
  expect(text).not.toMatch(/[\u200b\u202e]/);
});
