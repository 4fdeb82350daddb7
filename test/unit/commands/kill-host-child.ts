import { noSandbox } from '#sandbox/none';
import { commandLab } from '#test/support/command-lab';
import { SANDBOXES } from '#test/support/sandboxes';

// A process that runs one command as Belay does, and is killed meanwhile. It says where its lab is.
const [kind = 'none', under = '/tmp', command = 'true'] = process.argv.slice(2);
const sandbox = kind === 'bubblewrap' || kind === 'namespaces' ? SANDBOXES[kind]() : noSandbox();
const lab = commandLab({ sandbox, under });
console.log(lab.workspace);
await lab.run(command, { timeoutMs: 80_000 });
