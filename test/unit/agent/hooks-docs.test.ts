import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HOOK_EVENTS } from '#gates/hooks/hook';
import { WIRE_TOOLS } from '#gates/hooks/wire-tools';
import { call, coreLab } from '#test/support/core-lab';

const page = readFileSync(join(import.meta.dirname, '../../../docs/hooks.md'), 'utf8');

function block(language: string): string {
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? '';
}

test('the example of docs/hooks.md does what it says', async () => {
  const lab = await coreLab({
    settings: { hooks: (JSON.parse(block('json')) as { readonly hooks: unknown }).hooks },
    workspace: { '.belay/hooks/no-force-push.sh': block('sh') },
  });
  lab.folder.chmod('.belay/hooks/no-force-push.sh', 0o755);
  const push = (id: string, command: string) => call(id, 'run_command', { command, description: 'pushes' });
  await lab.turn('x', {
    calls: [push('a', 'git push --force origin main'), push('b', 'git push origin main')],
  });
  const [forced, plain] = lab.results();
  expect([forced?.code, forced?.content.includes('Push to a new branch'), plain?.code]).toEqual([
    'hook_denied',
    true,
    // Asked, and nobody allowed it.
    'permission_denied',
  ]);
});

test.each([...HOOK_EVENTS, ...Object.entries(WIRE_TOOLS).map(([tool, { wire }]) => `${tool}\` | \`${wire}`)])(
  'docs/hooks.md knows %s',
  (name) => {
    expect(page).toContain(`\`${name}\``);
  },
);
