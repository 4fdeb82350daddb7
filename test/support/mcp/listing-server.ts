// A server whose tools are what the JSON file named by its first argument lists. Each answers with the arguments that it was given. It
// needs no package.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly protocolVersion?: string; readonly arguments?: unknown };
}

const tools: unknown = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));

function answer({ method, params = {} }: Message): object | undefined {
  switch (method) {
    case 'initialize': {
      const serverInfo = { name: 'listing', version: '1' };
      return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo };
    }
    case 'ping':
      return {};
    case 'tools/list':
      return { tools };
    case 'tools/call':
      return { content: [{ type: 'text', text: JSON.stringify(params.arguments) }] };
    default:
      return undefined;
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message: Message = JSON.parse(line);
  if (message.id === undefined || message.method === undefined) return;
  const result = answer(message);
  const error = { code: -32601, message: `no method ${message.method}` };
  const body = result === undefined ? { error } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...body })}\n`);
});
