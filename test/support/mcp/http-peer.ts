import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { officialServer } from './peers';

/** A real server over HTTP, in a process of its own. */
export interface HttpPeer {
  readonly url: string;
  readonly pid: number;
  /** Ends it at once. */
  kill(): Promise<void>;
}

/** The official server with everything in it, on a port that the system chooses. Call it inside a test. */
export async function everythingOver(kind: 'streamableHttp' | 'sse', port = 0): Promise<HttpPeer> {
  const told = join(import.meta.dirname, 'told-port.ts');
  const child = spawn(process.execPath, ['--import', told, officialServer('everything'), kind], {
    env: { PATH: process.env['PATH'], PORT: String(port), NODE_NO_WARNINGS: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  onTestFinished(kill);
  const chosen = await new Promise<number>((resolve, reject) => {
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /listening on (\d+)\./.exec(text)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    child.once('exit', () => reject(new Error(`the server ended:\n${text}`)));
  });
  const path = kind === 'sse' ? 'sse' : 'mcp';
  return { url: `http://127.0.0.1:${chosen}/${path}`, pid: child.pid ?? -1, kill };
}
