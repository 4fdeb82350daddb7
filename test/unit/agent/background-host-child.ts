import { createApp } from '#app';
import { ScriptedModel } from '#headless/scripted-model';
import type { SandboxMode } from '#protocol/settings';
import { memoryHost } from '#test/support/memory-host';

// A window that has background commands and is killed.
const [folder = '', storage = '', sandbox = 'workspace-only', command = 'true'] = process.argv.slice(2);
const host = memoryHost({
  storage,
  settings: { mode: 'allow', sandbox: sandbox as SandboxMode },
  answers: ['allow-once', 'allow-once'],
});
const model = new ScriptedModel(() => undefined);
const created = await createApp(host, { folder, models: { get: async () => ({ ok: true, value: model }) } });
if (!created.ok) throw new Error(created.error.detail);
const session = created.value.createSession({ modelId: model.id });
const start = (id: string, pty: boolean) => ({
  calls: [{ id, name: 'start_command', input: { command, description: 'd', pty } }],
});
model.play([start('a', false), start('b', true), { text: 'ok' }]);
await session.send('x');
console.log(session.id);
setInterval(() => undefined, 1000);
