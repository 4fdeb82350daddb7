// The least that a coding agent can be: `node round-trip.mjs URL FIRST-REQUEST.json FOLDER`. Sends the request, reads the reply's
// events, reads the file that is asked for, sends it all again with the result, until no tool is called. No checks, nothing kept.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import path from 'node:path';

const [url = '', template = '', folder = ''] = process.argv.slice(2);
const body = JSON.parse(readFileSync(template, 'utf8'));
const agent = new Agent({ keepAlive: true });

for (;;) {
  const message = await send();
  body.messages.push(message);
  if (!message.tool_calls) break;
  for (const { id, function: called } of message.tool_calls) {
    const wanted = JSON.parse(called.arguments);
    const content = await readFile(path.join(folder, wanted.path), 'utf8');
    body.messages.push({ role: 'tool', tool_call_id: id, content });
  }
}
process.exit(0);

/** @returns {Promise<any>} the assistant's message, put together from the stream */
function send() {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.setEncoding('utf8');
      /** @type {any} */
      const message = { role: 'assistant', content: '' };
      let rest = '';
      response.on('data', (/** @type {string} */ chunk) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          if (line.startsWith('data: {')) take(JSON.parse(line.slice(6)).choices[0]?.delta ?? {}, message);
        }
      });
      response.on('end', () => resolve(message));
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}

/**
 * @param {any} delta
 * @param {any} message
 */
function take(delta, message) {
  message.content += delta.content ?? '';
  for (const { index, ...call } of delta.tool_calls ?? []) {
    message.tool_calls ??= [];
    const known = message.tool_calls[index];
    if (known) known.function.arguments += call.function.arguments;
    else message.tool_calls[index] = call;
  }
}
