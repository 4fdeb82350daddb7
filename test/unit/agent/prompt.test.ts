import { expect, test } from 'vitest';
import { type PromptFacts, systemPrompt } from '#agent/prompt';
import { MODES } from '#protocol/settings';

const facts: PromptFacts = {
  platform: 'linux',
  shell: '/bin/bash',
  folder: '/home/sam/project',
  now: Date.UTC(2026, 10, 30, 12),
  branch: 'main',
  mode: 'workspace-write',
  trusted: true,
  sandbox: 'sandboxed by bubblewrap',
  rules: '',
  deferred: [],
};

test('is what it was', () => {
  expect(systemPrompt(facts)).toMatchSnapshot();
});

test('stays within 6 KB in every mode, with a long folder and many deferred names', () => {
  const sizes = MODES.map((mode) =>
    Buffer.byteLength(systemPrompt({ ...facts, mode, trusted: false, folder: `/home/${'x'.repeat(300)}` })),
  );
  expect(Math.max(...sizes)).toBeLessThanOrEqual(6 * 1024);
});

test('holds still but for its last part, so that providers can cache it', () => {
  const one = systemPrompt(facts);
  const other = systemPrompt({ ...facts, mode: 'read-only', branch: undefined, now: 0, sandbox: 'none' });
  const [start] = one.split('# Now');
  expect([other.startsWith(start ?? ''), one.length - (start?.length ?? 0) < 1000]).toEqual([true, true]);
});

test('names the tools that are known by name alone, last', () => {
  const prompt = systemPrompt({ ...facts, deferred: ['hover', 'definition'] });
  expect(prompt.endsWith('usable from your next reply on.\ndefinition, hover')).toBe(true);
});

test('says that an untrusted folder is read only', () => {
  expect(systemPrompt({ ...facts, trusted: false })).toContain('(not trusted by the person: read only)');
});
