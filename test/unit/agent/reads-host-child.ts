import { createApp } from '#app';
import { ScriptedModel } from '#headless/scripted-model';
import { memoryHost } from '#test/support/memory-host';

// A window whose turn only reads, and which is killed at one moment of it: as a request goes out, when the event loop has turned after
// it, or in the middle of a read.
const [folder = '', storage = '', moment = 'request', nth = '1'] = process.argv.slice(2);
let left = Number(nth);
const due = (here: string) => here === moment && --left === 0;
const die = () => process.kill(process.pid, 'SIGKILL');

const host = memoryHost({ storage, settings: { mode: 'read-only' } });
const { files } = host;
const model = new ScriptedModel(() => {
  if (due('request')) die();
  if (due('turned')) setImmediate(die);
});
const read = files.read.bind(files);
const watched: typeof files = {
  ...files,
  read: (path, options) => {
    if (path.endsWith('.txt') && due('read')) die();
    return read(path, options);
  },
};
const created = await createApp(
  { ...host, files: watched },
  { folder, models: { get: async () => ({ ok: true, value: model }) } },
);
if (!created.ok) throw new Error(created.error.detail);
const session = created.value.createSession({ modelId: model.id });
console.log(session.id);
const reads = (...names: readonly string[]) => ({
  text: `I read ${names.join(' and ')}.`,
  calls: names.map((name) => ({ id: `call-${name}`, name: 'read_file', input: { path: `${name}.txt` } })),
});
model.play([reads('a'), reads('b'), reads('c', 'd'), { text: 'Done.' }]);
await session.send('Read all.');
throw new Error('the moment never came');
