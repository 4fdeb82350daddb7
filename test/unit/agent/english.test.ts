import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { loadWords } from '#base/l10n';
import type { ModelItem } from '#protocol/scenario';
import type { Settings } from '#protocol/settings';
import { type CoreLab, call, coreLab } from '#test/support/core-lab';
import { decides, hooksOf, says } from '#test/support/hook-scripts';
import { saidMessages } from '#test/support/messages';

// Real processes on a busy machine: the limit is against hanging, not for speed.
vi.setConfig({ testTimeout: 60_000 });

// Every message for people is marked from here on: a request that holds a mark tells the model what isn't for it.
const root = path.join(import.meta.dirname, '../../..');
loadWords(Object.fromEntries([...saidMessages(root).messages.keys()].map((text) => [text, `⟦${text}⟧`])));

const MARKED = /.{0,80}⟦[^⟧]*⟧.{0,40}/g;

/** What models were told in the language of people. */
function marksIn({ requests }: CoreLab): readonly string[] {
  const sent = requests.map(({ system, messages, tools }) => [system, messages, tools]);
  return JSON.stringify(sent).match(MARKED) ?? [];
}

/** What people are shown in their language: none of it would make these tests empty. */
function shownMarks({ session }: CoreLab): number {
  return (JSON.stringify(session.events()).match(MARKED) ?? []).length;
}

async function walk(lab: CoreLab, ...wanted: readonly (readonly [name: string, input: object])[]) {
  const items: ModelItem[] = wanted.map(([name, input], index) => ({
    calls: [call(`c${index}`, name, input)],
  }));
  await lab.turn('go', ...items, { text: 'done' });
  await lab.turn('on', { text: 'done' });
  return { told: marksIn(lab), isShown: shownMarks(lab) > 0, calls: lab.results().length };
}

const run = (command: string) => ['run_command', { command, description: 'd' }] as const;
const FILES = { 'a.txt': 'one\n', 'secret.txt': 'x\n', '.belayignore': 'secret.txt\n' };

test('a denial by the mode, a rule or what is hidden says why in English', async () => {
  const permissions = { deny: ['Read(a.txt)'], allow: [], ask: [] };
  const lab = await coreLab({ workspace: FILES, settings: { mode: 'read-only', permissions } });
  const all = await walk(
    lab,
    ['write_file', { path: 'b.txt', content: 'x' }],
    ['read_file', { path: 'a.txt' }],
    ['read_file', { path: 'secret.txt' }],
    ['search_files', { pattern: 'x' }],
    ['no_such_tool', {}],
    ['edit_file', { path: 'a.txt' }],
    run('ls'),
  );
  expect(all).toEqual({ told: [], isShown: true, calls: 7 });
});

test('what hooks say is told with English around it', async () => {
  const hooks = {
    ...hooksOf('PreToolUse', { matcher: 'Bash', command: 'exit 2' }),
    ...hooksOf('PostToolUse', says({ systemMessage: 'generated' })),
    ...hooksOf('UserPromptSubmit', says({ systemMessage: 'heard' })),
  };
  const lab = await coreLab({ workspace: FILES, settings: { mode: 'allow', hooks } });
  const all = await walk(lab, run('ls'), ['read_file', { path: 'a.txt' }]);
  expect(all).toEqual({ told: [], isShown: true, calls: 2 });
  const asking = hooksOf('PreToolUse', decides('ask', { permissionDecisionReason: 'sure?' }));
  const other = await coreLab({ workspace: FILES, settings: { mode: 'allow', hooks: asking } });
  expect(await walk(other, run('ls'))).toEqual({ told: [], isShown: true, calls: 1 });
});

test.each(['workspace-only', 'read-only', 'allow-list', 'off'] as const)(
  'commands with the sandbox %s, in the background too, are described in English',
  async (sandbox) => {
    const sandboxAllowedHosts = ['allowed.example', 'https://no/'];
    const settings: Partial<Settings> = { mode: 'allow', sandbox, sandboxAllowedHosts };
    const lab = await coreLab({ workspace: FILES, settings, core: { assumeSandbox: false } });
    const all = await walk(
      lab,
      run('touch .git/hooks/x; echo no > /etc/belay-never; exit 3'),
      ['start_command', { command: 'sleep 60', description: 'd' }],
      ['start_command', { command: 'exit 4', description: 'd' }],
      ['command_output', { id: 'c2', offset: 0, waitMs: 5000 }],
      ['list_commands', {}],
      ['cancel_command', { id: 'c1' }],
      ['command_status', { id: 'c1' }],
      ['command_input', { id: 'c1', text: 'x' }],
    );
    expect(all).toEqual({ told: [], isShown: true, calls: 8 });
  },
);

test('files, lists, to-dos, long outputs and language tools answer in English', async () => {
  const lab = await coreLab({ workspace: FILES, settings: { mode: 'workspace-write' } });
  const all = await walk(
    lab,
    ['write_file', { path: 'b.txt', content: 'x\n' }],
    ['edit_file', { path: 'b.txt', old: 'x', new: 'y' }],
    ['rename_file', { from: 'b.txt', to: 'c.txt' }],
    ['delete_file', { path: 'c.txt' }],
    ['glob_files', { pattern: '*' }],
    ['todo_write', { todos: [{ content: 'a', activeForm: 'doing a', status: 'in_progress' }] }],
    ['todo_list', {}],
    ['search_tools', { query: 'definition' }],
    ['diagnostics', { path: 'a.txt' }],
    ['read_artifact', { id: 'none' }],
  );
  expect(all).toEqual({ told: [], isShown: true, calls: 10 });
});
