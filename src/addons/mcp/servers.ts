import { ConfigFinder } from '#addons/mcp/config/find';
import type { ConfigProblem, FoundServer } from '#addons/mcp/config/server';
import type { Connect } from '#addons/mcp/connection/connection';
import { contentKey, type Hindrance, type ManagedServer, rowOf } from '#addons/mcp/life/managed-server';
import { openServer } from '#addons/mcp/life/opening';
import { ServerLife } from '#addons/mcp/life/server-life';
import { ServerLog } from '#addons/mcp/life/server-log';
import { Emitter, type Event } from '#base/emitter';
import { delay, SerialQueue } from '#base/queue';
import { Watchdog } from '#commands/watchdog';
import type { Host } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import type { McpQuestion, McpServerRow } from '#protocol/mcp';
import type { McpControl } from './control';

/** What the servers of a folder need of Belay. */
export interface McpOptions {
  readonly host: Host;
  /** The folder's real path. */
  readonly root: AbsolutePath;
  /** Whether the policy forbids a server of that name. */
  isForbidden(server: string): boolean;
  /** Takes secrets out of what is shown. */
  redact(text: string): string;
  /** In tests: their own. */
  readonly connect?: Connect;
  pause?(ms: number, signal: AbortSignal): Promise<void>;
}

/** Changes of logs are told this long after they began, in milliseconds: a flood of lines is one change. */
const TELL_MS = 100;

/** The MCP servers of one folder: which there are, which may run, and those that do. */
export class McpServers implements McpControl {
  readonly #options: McpOptions;
  readonly #finder: ConfigFinder;
  readonly #queue = new SerialQueue();
  readonly #watchdog = new Watchdog();
  readonly #changed: Emitter<void>;
  readonly #servers = new Map<string, ManagedServer>();
  #problems: readonly ConfigProblem[] = [];
  #telling: NodeJS.Timeout | undefined;
  #isClosed = false;

  readonly onDidChange: Event<void>;

  constructor(options: McpOptions) {
    this.#options = options;
    this.#finder = new ConfigFinder(options.host, options.root);
    this.#changed = new Emitter((error) => options.host.log.error(`a listener failed: ${String(error)}`));
    this.onDidChange = this.#changed.event;
  }

  refresh(): Promise<void> {
    return this.#queue.run(() => this.#refresh());
  }

  servers(): readonly McpServerRow[] {
    return [...this.#servers.values()].map((server) => rowOf(server, []));
  }

  problems(): readonly ConfigProblem[] {
    return this.#problems;
  }

  questions(): readonly McpQuestion[] {
    return [];
  }

  async answer(_question: McpQuestion, _accepted: boolean): Promise<boolean> {
    return false;
  }

  async restart(server: string): Promise<void> {
    const managed = this.#servers.get(server);
    if (!managed) return;
    managed.isHeld = false;
    await managed.life.stop();
    this.#settle(managed);
  }

  async stop(server: string): Promise<void> {
    const managed = this.#servers.get(server);
    if (!managed) return;
    managed.isHeld = true;
    await managed.life.stop();
  }

  async signIn(_server: string): Promise<void> {}

  async signOut(_server: string): Promise<void> {}

  log(server: string): string {
    return this.#options.redact(this.#servers.get(server)?.log.text() ?? '');
  }

  /** Fulfilled when none of the servers runs any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#queue.run(async () => {
      await Promise.all([...this.#servers.values()].map(({ life }) => life.stop()));
    });
    clearTimeout(this.#telling);
    this.#watchdog.dispose();
    this.#changed.dispose();
  }

  dispose(): void {
    void this.close();
  }

  async #refresh(): Promise<void> {
    if (this.#isClosed) return;
    const { servers, problems } = await this.#finder.find();
    this.#tellProblems(problems);
    const wanted = new Map(servers.map((found) => [found.config.name, found]));
    for (const [name, { found, life }] of this.#servers) {
      const now = wanted.get(name);
      if (now && contentKey(now) === contentKey(found)) continue;
      this.#servers.delete(name);
      await life.stop();
    }
    for (const found of wanted.values()) this.#settle(this.#managed(found));
    this.#tell();
  }

  #managed(found: FoundServer): ManagedServer {
    const { name } = found.config;
    const known = this.#servers.get(name);
    if (known) {
      const moved = { ...known, found };
      this.#servers.set(name, moved);
      return moved;
    }
    const { host, root, connect } = this.#options;
    const log = new ServerLog(host.clock, () => this.#tell());
    const life = new ServerLife({
      open: (signal, changed) => {
        const keepSecret = (values: readonly string[]) => log.hide(values);
        const opening = { found, signal, log: (line: string) => log.add(line), keepSecret, changed };
        return openServer(opening, { host, root, watchdog: this.#watchdog, connect });
      },
      pause: this.#options.pause ?? delay,
      monotonic: () => host.clock.monotonic(),
      log: (line) => log.add(line),
      changed: () => this.#tell(),
    });
    const made = { found, life, log, hindrance: undefined, isHeld: false };
    this.#servers.set(name, made);
    return made;
  }

  /** Starts what may run and stops what may not any more. */
  #settle(server: ManagedServer): void {
    server.hindrance = this.#hindranceOf(server.found);
    if (server.hindrance !== undefined || this.#isClosed) void server.life.stop();
    else if (!server.isHeld) server.life.start();
  }

  #hindranceOf({ config }: FoundServer): Hindrance | undefined {
    const { host, isForbidden } = this.#options;
    if (isForbidden(config.name)) return 'forbidden';
    if (!host.trust.isTrusted()) return 'untrusted';
    if (config.disabled || host.settings.current().mcpDisabled.includes(config.name)) return 'off';
    return config.place.kind === 'project' ? 'unasked' : undefined;
  }

  /** Each once, until it is another. */
  #tellProblems(problems: readonly ConfigProblem[]): void {
    if (problems === this.#problems) return;
    const told = new Set(this.#problems.map(wordsOf));
    for (const problem of problems)
      if (!told.has(wordsOf(problem))) this.#options.host.log.warn(`mcp: ${wordsOf(problem)}`);
    this.#problems = problems;
  }

  #tell(): void {
    if (this.#telling || this.#isClosed) return;
    this.#telling = setTimeout(() => {
      this.#telling = undefined;
      this.#changed.emit();
    }, TELL_MS);
  }
}

function wordsOf({ file, line, message }: ConfigProblem): string {
  return `${file}${line > 0 ? `:${line}` : ''}: ${message}`;
}
