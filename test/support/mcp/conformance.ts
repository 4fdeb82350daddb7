import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { childScript } from '#test/support/child-script';

const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json');

/** All client scenarios of the protocol's own tests against our client: whether each passed. What they write goes into `folder`. */
export async function conformance(
  folder: string,
): Promise<{ readonly passed: Readonly<Record<string, boolean>>; readonly output: string }> {
  const client = await childScript(import.meta.dirname, 'conformance-client.ts');
  const runner = join(dirname(manifest), 'dist', 'index.js');
  const command = `${process.execPath} ${client}`;
  const args = [runner, 'client', '--command', command, '--suite', 'all', '--timeout', '60000'];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const hear = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  await new Promise((resolve) => child.once('close', resolve));
  const lines = [...output.matchAll(/^([✓✗]) (\S+): \d+ passed/gm)];
  return { passed: Object.fromEntries(lines.map(([, mark, name]) => [name, mark === '✓'])), output };
}
