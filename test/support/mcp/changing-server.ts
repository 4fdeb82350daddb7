// A server with one tool, `note`, whose description is what the file named by its first argument holds. When that file changes it says
// that its tools have changed. It needs no package.
import { readFileSync, watchFile } from 'node:fs';
import { createInterface } from 'node:readline';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly protocolVersion?: string; readonly arguments?: { readonly text?: string } };
}

const file = process.argv[2] ?? '';
const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

function answer({ method, params = {} }: Message): object | undefined {
  switch (method) {
    case 'initialize': {
      const { protocolVersion } = params;
      const serverInfo = { name: 'changing', version: '1' };
      return { protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo };
    }
    case 'ping':
      return {};
    case 'tools/list':
      return { tools: [{ name: 'note', description: readFileSync(file, 'utf8').trim(), inputSchema }] };
    case 'tools/call':
      return { content: [{ type: 'text', text: `noted: ${params.arguments?.text}` }] };
    default:
      return undefined;
  }
}

const inputSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const message: Message = JSON.parse(line);
    if (message.id === undefined || message.method === undefined) return;
    const result = answer(message);
    const error = { code: -32601, message: `no method ${message.method}` };
    send({ id: message.id, ...(result ? { result } : { error }) });
  })
  .on('close', () => process.exit(0));

watchFile(file, { interval: 100 }, () => send({ method: 'notifications/tools/list_changed' }));
