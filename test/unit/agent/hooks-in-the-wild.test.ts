import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, coreLab } from '#test/support/core-lab';
import { hooksOf } from '#test/support/hook-scripts';
import { tempFolder } from '#test/support/temp-folder';

// Scripts of the shapes that people have on disk, written for Claude Code: they know nothing of Belay.
const script = (name: string) => `node '${join(import.meta.dirname, '../fixtures/hooks', name)}'`;
const bash = (id: string, command: string) => call(id, 'run_command', { command, description: 'x' });

test('a validator of command lines', async () => {
  const hooks = hooksOf('PreToolUse', { matcher: 'Bash', command: script('validate-bash.mjs') });
  const lab = await coreLab({ settings: { hooks }, workspace: { a: 'x' }, answers: ['allow-once'] });
  await lab.turn('x', {
    calls: [bash('a', 'grep x a'), bash('b', 'cat a'), call('c', 'read_file', { path: 'a' })],
  });
  const [grep, cat, read] = lab.results();
  expect([grep?.code, cat?.status, read?.status]).toEqual(['hook_denied', 'success', 'success']);
  expect(grep?.content).toContain("• Use 'rg' instead of 'grep'");
});

test('a guard of files, for every tool that edits', async () => {
  const hooks = hooksOf('PreToolUse', {
    matcher: 'Edit|MultiEdit|Write',
    command: script('protect-files.mjs'),
  });
  const lab = await coreLab({ settings: { hooks } });
  await lab.turn('x', {
    calls: [
      call('a', 'write_file', { path: 'package-lock.json', content: '{}' }),
      call('b', 'write_file', { path: 'package.json', content: '{}' }),
    ],
  });
  expect(lab.results().map(({ code, status }) => code ?? status)).toEqual(['hook_denied', 'success']);
});

test('an approver in the older words', async () => {
  const hooks = hooksOf('PreToolUse', script('approve-docs.mjs'));
  const lab = await coreLab({ settings: { hooks } });
  lab.session.setMode('prompt');
  await lab.turn('x', {
    calls: [
      call('a', 'write_file', { path: 'docs/a.md', content: 'a' }),
      call('b', 'write_file', { path: 'a.ts', content: 'a' }),
    ],
  });
  expect([existsSync(lab.folder.at('docs/a.md')), lab.host.asked.map(({ subject }) => subject)]).toEqual([
    true,
    ['a.ts'],
  ]);
});

test('a keeper of secrets that also adds context', async () => {
  const lab = await coreLab({ settings: { hooks: hooksOf('UserPromptSubmit', script('no-secrets.mjs')) } });
  expect(await lab.turn('password: hunter2')).toBe('denied');
  expect(await lab.turn('hello', { text: 'hi' })).toBe('done');
  expect(JSON.stringify(lab.requests[0]?.messages)).toMatch(/hello.*Current time: noon/);
  expect(JSON.stringify(lab.requests)).not.toContain('hunter2');
});

test('a reader of the transcript that wants a better last word', async () => {
  const lab = await coreLab({ settings: { hooks: hooksOf('Stop', script('last-words.mjs')) } });
  await lab.turn('fix it', { text: 'Fixed.' }, { text: 'All tests pass.' });
  expect(lab.requests).toHaveLength(2);
  expect(JSON.stringify(lab.requests[1]?.messages.at(-1))).toContain('What do the tests say?');
});

test('a log of what was run, in a pipeline of small programs', async () => {
  const marks = tempFolder();
  const command = `cat | tr -d '\\n' | sed 's/.*"command":"\\([^"]*\\)".*/\\1/' >> "${marks.at('log')}" && echo >> "${marks.at('log')}"`;
  const lab = await coreLab({
    settings: { hooks: hooksOf('PreToolUse', { matcher: 'Bash', command }) },
    answers: ['allow-once', 'allow-once'],
  });
  await lab.turn('x', { calls: [bash('a', 'true'), bash('b', 'echo two')] });
  expect(marks.text('log')).toBe('true\necho two\n');
});
