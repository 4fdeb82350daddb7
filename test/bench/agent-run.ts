import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { RecordedRequest } from '#test/support/model-server/script';
import type { ModelServer } from '#test/support/model-server/server';

/** What the model's server saw of one agent, from its start to its last request. */
export interface AgentRun {
  /** From the start of the process to its first request, in milliseconds. */
  readonly startMs: number;
  /** From each request to the next: the reply, the call and the next request, in milliseconds. */
  readonly roundTripsMs: readonly number[];
  /** Peak of the resident memory until the last request, in MB; 0 where the system doesn't tell. */
  readonly peakMb: number;
  readonly first: RecordedRequest;
}

/** Runs an agent that is asked for `calls` reads, one after the other, of `file-N.txt`; another one each time. */
export async function runAgent(
  server: ModelServer,
  args: readonly string[],
  calls: number,
): Promise<AgentRun> {
  const arrivals: number[] = [];
  let peakMb = 0;
  let first: RecordedRequest | undefined;
  server.reset((request, index) => {
    arrivals.push(performance.now());
    first ??= request;
    if (index < calls) return { calls: [readOf(index)] };
    peakMb = peakOf(child.pid);
    return { text: 'Done.' };
  });
  const begun = performance.now();
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0 || first === undefined || arrivals.length !== calls + 1)
    throw new Error(
      `the agent ended with ${code} after ${arrivals.length} requests: ${Buffer.concat(errors)}`,
    );
  return {
    startMs: (arrivals[0] ?? 0) - begun,
    roundTripsMs: arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? 0)),
    peakMb,
    first,
  };
}

function readOf(index: number) {
  return { id: `call_${index}`, name: 'read_file', input: { path: `file-${index}.txt` } };
}

function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1000;
  } catch {
    return 0;
  }
}
