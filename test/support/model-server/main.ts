// node test/support/model-server/main.ts [SCRIPT.json] — prints {"url": …} and serves until it is killed or its stdin closes.
import { readFileSync } from 'node:fs';
import type { Reply } from '#test/support/model-server/script';
import { startModelServer } from '#test/support/model-server/server';

const file = process.argv[2];
const server = await startModelServer({
  script: file ? (JSON.parse(readFileSync(file, 'utf8')) as Reply[]) : [],
});
process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
process.stdin.resume().once('end', () => void server.close().then(() => process.exit(0)));
