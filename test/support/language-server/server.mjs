// A language server without manners: MODE FILE. What it is answered, and its number, stand in FILE, a line of JSON each.
import { appendFileSync } from 'node:fs';
import process from 'node:process';

const [, , mode = '', file = ''] = process.argv;
note({ pid: process.pid });

/** @param {unknown} what */
function note(what) {
  appendFileSync(file, `${JSON.stringify(what)}\n`);
}

/** @param {object} message */
function send(message) {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/** @param {NodeJS.WriteStream} stream @param {() => string} text */
function flood(stream, text) {
  const more = () => {
    while (stream.write(text()));
    stream.once('drain', more);
  };
  more();
}

/** @param {string} body */
function frame(body) {
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

const LOG = { jsonrpc: '2.0', method: 'window/logMessage', params: { type: 3, message: 'x'.repeat(100) } };

/** What each mode does once it has answered `initialize`. */
const AFTER = {
  polite: () => undefined,
  'dies-later': () => setTimeout(() => process.exit(7), 50),
  'floods-stderr': () => flood(process.stderr, () => 'noise\n'.repeat(1000)),
  'floods-messages': () => flood(process.stdout, () => frame(JSON.stringify(LOG)).repeat(100)),
  'floods-garbage': () => flood(process.stdout, () => 'garbage '.repeat(1000)),
  'sends-broken-json': () => process.stdout.write(frame('{"jsonrpc":')),
  'sends-no-message': () => process.stdout.write(frame('[1,2,3]')),
  'sends-huge-message': () => process.stdout.write('Content-Length: 9000000000\r\n\r\n'),
  'ignores-the-end': () => {
    process.on('SIGTERM', () => undefined);
    setInterval(() => undefined, 1000);
  },
  interferes: () => {
    const uri = process.argv[4];
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    send({
      id: 'edit',
      method: 'workspace/applyEdit',
      params: { edit: { changes: { [`${uri}`]: [{ range, newText: 'oh ' }] } } },
    });
    send({ id: 'show', method: 'window/showDocument', params: { uri, takeFocus: true } });
    send({
      id: 'ask',
      method: 'window/showMessageRequest',
      params: { type: 1, message: 'now?', actions: [{ title: 'Yes' }] },
    });
    send({
      id: 'configuration',
      method: 'workspace/configuration',
      params: { items: [{ section: 'a.b' }, { section: 'belay' }, {}] },
    });
    send({
      id: 'register',
      method: 'client/registerCapability',
      params: {
        registrations: [
          {
            id: '1',
            method: 'workspace/executeCommand',
            registerOptions: { commands: ['interfering.command'] },
          },
        ],
      },
    });
  },
};

const CAPABILITIES = {
  textDocumentSync: 1,
  hoverProvider: true,
  executeCommandProvider: { commands: ['interfering.static'] },
};

if (mode === 'dies-at-once') {
  process.stderr.write('no licence for this machine\n');
  process.exit(3);
}

let input = Buffer.alloc(0);
process.stdin.on('end', () => {
  if (mode !== 'ignores-the-end') process.exit(0);
});
process.stdin.on('data', (chunk) => {
  input = Buffer.concat([input, chunk]);
  for (;;) {
    const end = input.indexOf('\r\n\r\n');
    const length = Number(/content-length: *(\d+)/i.exec(input.toString('latin1', 0, Math.max(end, 0)))?.[1]);
    if (end < 0 || input.length < end + 4 + length) return;
    const message = JSON.parse(input.toString('utf8', end + 4, end + 4 + length));
    input = input.subarray(end + 4 + length);
    receive(message);
  }
});

/** @param {{ id?: unknown, method?: string, params?: any, result?: unknown }} message */
function receive(message) {
  const { id, method, params } = message;
  if (method === undefined) note({ answered: id, result: message.result });
  else if (method === 'initialize' && mode !== 'never-answers') {
    note({ applyEdit: params.capabilities.workspace.applyEdit, options: params.initializationOptions });
    send({ id, result: { capabilities: CAPABILITIES } });
  } else if (method === 'initialized') AFTER[/** @type {keyof typeof AFTER} */ (mode)]?.();
  else if (method === 'textDocument/didOpen') note({ opened: params.textDocument.languageId });
  else if (method === 'workspace/didChangeConfiguration') note({ settings: params.settings });
  else if (method === 'textDocument/hover') send({ id, result: { contents: 'a word' } });
  else if (method === 'shutdown') {
    if (mode !== 'ignores-the-end') send({ id, result: null });
  } else if (method === 'exit' && mode !== 'ignores-the-end') process.exit(0);
}
