/** An MCP server in a file of its own, without packages: one prompt that needs a word, one that fails, one resource. */
export const SMALL_SERVER = `
import { createInterface } from 'node:readline';
const prompts = [
  { name: 'greet', description: 'Greets somebody', arguments: [{ name: 'who', required: true }] },
  { name: 'broken' },
];
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { prompts: {}, resources: {} },
    serverInfo: { name: 'small', version: '1' },
  }),
  ping: () => ({}),
  'prompts/list': () => ({ prompts }),
  'prompts/get': ({ name, arguments: { who } = {} }) => {
    if (name !== 'greet') throw new Error('out of order');
    return { messages: [{ role: 'user', content: { type: 'text', text: 'Say hello to ' + who } }] };
  },
  'resources/list': () => ({ resources: [{ uri: 'note://one', name: 'the first note', description: 'A note' }] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, mimeType: 'text/plain', text: 'what the note says' }] }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) continue;
  let answer;
  try {
    answer = { result: answers[method](params) };
  } catch (error) {
    answer = { error: { code: -32000, message: String(error.message) } };
  }
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
}
`;
