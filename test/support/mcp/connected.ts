import { onTestFinished } from 'vitest';
import type { ResolvedHttp, ResolvedStdio } from '#addons/mcp/config/resolve';
import { connect } from '#addons/mcp/connection/connect';
import type { Connection, ConnectionPorts, ConnectProblem } from '#addons/mcp/connection/connection';
import type { Result } from '#base/result';
import { Watchdog } from '#commands/watchdog';
import { nodeServer } from './peers';

/** An attempt to connect, with what was logged and which lists were said to have changed. */
export interface Attempt {
  readonly result: Result<Connection, ConnectProblem>;
  readonly logged: string[];
  readonly changed: string[];
}

let markers = 0;

/** Call it inside a test; what it opens is closed when the test ends. */
export async function attempt(
  target: ResolvedStdio | ResolvedHttp,
  more: Partial<ConnectionPorts> & { readonly signal?: AbortSignal } = {},
): Promise<Attempt> {
  const logged: string[] = [];
  const changed: string[] = [];
  const watchdog = new Watchdog();
  const { signal = new AbortController().signal, ...ports } = more;
  const result = await connect(
    { ...target, secrets: [] },
    {
      server: 'odd',
      clock: { monotonic: () => performance.now() },
      root: '/',
      questions: undefined,
      signIn: undefined,
      marker: `${process.pid}.mcp-test-${++markers}`,
      watchdog,
      log: (line) => void logged.push(line),
      changed: (what) => void changed.push(what),
      ...ports,
    },
    signal,
  );
  onTestFinished(async () => {
    if (result.ok) await result.value.close();
    watchdog.dispose();
  });
  return { result, logged, changed };
}

/** The same for what must connect. */
export async function connected(
  target: ResolvedStdio | ResolvedHttp,
  more: Parameters<typeof attempt>[1] = {},
): Promise<Attempt & { readonly connection: Connection }> {
  const made = await attempt(target, more);
  if (!made.result.ok) throw new Error(`${made.result.error.words}\n${made.logged.join('\n')}`);
  return { ...made, connection: made.result.value };
}

/** How to start a script with this Node. */
export function stdio(script: string, ...args: readonly string[]): ResolvedStdio {
  return {
    kind: 'stdio',
    ...nodeServer(script, ...args),
    env: { PATH: process.env['PATH'] ?? '' },
    cwd: '/',
  };
}
