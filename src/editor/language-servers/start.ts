import { randomUUID } from 'node:crypto';
import { t } from '#base/l10n';
import { fail, messageOf, ok, type Result } from '#base/result';
import { commandEnvironment, type Variables } from '#commands/environment';
import { type StdioProgram, startStdioProgram } from '#commands/stdio-program';
import type { Watchdog } from '#commands/watchdog';
import type { ServerEntry } from './entries';
import { serverProgram } from './program';
import type { RunningServer, StartFailure } from './server';
import type { ServerLog } from './server-log';

/** A server to be started, and what that needs of the window. */
export interface ServerStart {
  readonly entry: ServerEntry;
  readonly connect: Connect;
  /** Belay's own environment, with the login shell's PATH. */
  readonly variables: Variables;
  readonly home: string;
  /** The workspace's folders on disk; it runs in the first. */
  readonly workspace: readonly [string, ...string[]];
  readonly watchdog: Watchdog;
  readonly log: ServerLog;
}

/** The protocol's side of a server: brought up over its streams. */
export type Connect = (program: StdioProgram, onBroken: (why: string) => void) => Connection;

/** The client's side of a process that runs. */
export interface Connection {
  /** Fulfilled when the server has answered `initialize`; rejects with why it didn't. */
  readonly initialized: Promise<void>;
  /** Asks the server to leave and forgets what it told. Never rejects. */
  close(): Promise<void>;
}

/** Characters of its stderr that a failure tells. */
const TAIL = 300;

/** Starts the program of an entry and waits until it answers, at most as long as the entry says. */
export async function startServer(
  { entry, connect, ...place }: ServerStart,
  signal: AbortSignal,
): Promise<Result<RunningServer, StartFailure>> {
  const [cwd] = place.workspace;
  const env = { ...commandEnvironment(place.variables, { network: true }), ...entry.env };
  const file = serverProgram(entry.command, { env, home: place.home, workspace: place.workspace });
  if (!file.ok) return fail({ why: file.error, final: true });
  const started = await startStdioProgram({
    ...{ command: file.value, args: entry.args, cwd, env, watchdog: place.watchdog },
    marker: `${process.pid}.language-server-${randomUUID()}`,
  });
  if (!started.ok) return fail({ why: started.error, final: true });
  const running = new Running(started.value, connect, place.log);
  const why = await running.initialized(entry.startupTimeoutMs, signal);
  if (why === undefined) return ok(running);
  await running.stop();
  return fail({ why, final: false });
}

class Running implements RunningServer {
  readonly pid: number;
  readonly ended: Promise<string>;
  readonly #program: StdioProgram;
  readonly #connection: Connection;
  #tail = '';
  #broken: string | undefined;
  #stopping: Promise<void> | undefined;

  constructor(program: StdioProgram, connect: Connect, log: ServerLog) {
    this.pid = program.pid;
    this.#program = program;
    program.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#tail = (this.#tail + text).slice(-TAIL);
      log.stderr(text);
    });
    this.ended = program.ended.then(({ code, signal }) => this.#explained(code, signal));
    this.#connection = connect(program, (why) => {
      this.#broken ??= why;
      void program.stop();
    });
  }

  /** Why it isn't; undefined when it is. */
  async initialized(limitMs: number, signal: AbortSignal): Promise<string | undefined> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
    const late = new Promise<string>((resolve) => {
      const tell = () => resolve(t('it did not answer within {0} s', limitMs / 1000));
      if (limit.aborted) tell();
      else limit.addEventListener('abort', tell, { once: true });
    });
    const answer = this.#connection.initialized.then(
      () => undefined,
      // What ends the process ends the connection: the process's own end says more.
      async (error: unknown) =>
        Promise.race([
          this.ended,
          new Promise<string>((resolve) => setTimeout(resolve, 500, messageOf(error))),
        ]),
    );
    return Promise.race([answer, this.ended, late]);
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    await this.#connection.close();
    await this.#program.stop();
  }

  #explained(code: number | null, signal: string | null): string {
    if (this.#broken !== undefined) return t('it was stopped: {0}', this.#broken);
    const how =
      code === null ? t('it was ended by {0}', signal ?? '') : t('it ended with exit code {0}', code);
    const said = this.#tail.trim().split('\n').at(-1)?.trim();
    return said ? `${how} (${said})` : how;
  }
}
