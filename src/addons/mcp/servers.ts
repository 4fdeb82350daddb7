import { ConfigFinder } from '#addons/mcp/config/find';
import { newProblems } from '#addons/mcp/config/new-problems';
import type { ConfigProblem, FoundServer } from '#addons/mcp/config/server';
import type { McpControl } from '#addons/mcp/control';
import { hindranceOf } from '#addons/mcp/life/hindrance';
import { contentKey, type ManagedServer, rowOf } from '#addons/mcp/life/managed-server';
import { newServer } from '#addons/mcp/life/new-server';
import { keepWord, offerAnew, questionOf } from '#addons/mcp/life/word';
import type { TrustPorts } from '#addons/mcp/trust/server-trust';
import { Emitter, type Event } from '#base/emitter';
import { delay, SerialQueue } from '#base/queue';
import { messageOf } from '#base/result';
import { Watchdog } from '#commands/watchdog';
import type { Host } from '#host';
import type { AbsolutePath } from '#protocol/ids';
import type { McpQuestion, McpServerRow } from '#protocol/mcp';
import type { AcceptancesTable } from '#store/acceptances';

/** What the servers of a folder need of Belay. */
export interface McpOptions {
  readonly host: Host;
  /** The folder's real path. */
  readonly root: AbsolutePath;
  /** Where the person's word is kept. */
  readonly acceptances: AcceptancesTable;
  /** Whether the policy forbids a server of that name. */
  isForbidden(server: string): boolean;
  /** Takes secrets out of what is shown. */
  redact(text: string): string;
  /** From now on these are secrets too, whoever says them. */
  hide(values: readonly string[]): void;
  /** In tests: as long as they like. */
  readonly pause?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** Changes are told this long after they began, in milliseconds: a flood of lines in a log is one change. */
const TELL_MS = 100;

/** The MCP servers of one folder: which there are, which may run, and those that do. */
export class McpServers implements McpControl {
  readonly #options: McpOptions;
  readonly #trust: TrustPorts;
  readonly #finder: ConfigFinder;
  readonly #queue = new SerialQueue();
  readonly #watchdog = new Watchdog();
  readonly #changed: Emitter<void>;
  readonly #offered: Emitter<void>;
  readonly #servers = new Map<string, ManagedServer>();
  readonly #over = new AbortController();
  #problems: readonly ConfigProblem[] = [];
  #telling: NodeJS.Timeout | undefined;
  /** What was switched and marked when the offers were made last. */
  #switches = '';

  readonly onDidChange: Event<void>;
  /** Tools, prompts or resources are others; told at once. */
  readonly onDidOffer: Event<void>;

  constructor(options: McpOptions) {
    const { host, root, acceptances } = options;
    this.#options = options;
    const { home } = host.environment;
    this.#trust = { acceptances, folder: root, home, now: () => host.clock.now() };
    this.#finder = new ConfigFinder(host, root);
    const failed = (error: unknown) => host.log.error(`a listener failed: ${String(error)}`);
    this.#changed = new Emitter(failed);
    this.#offered = new Emitter(failed);
    this.onDidChange = this.#changed.event;
    this.onDidOffer = this.#offered.event;
  }

  refresh(): Promise<void> {
    return this.#queue.run(() => this.#refresh());
  }

  servers(): readonly McpServerRow[] {
    return [...this.#servers.values()].map((server) => {
      const row = rowOf(server);
      // How a server failed is told in its own words, which may hold what it was given.
      return { ...row, detail: this.#options.redact(server.log.withoutHidden(row.detail)) };
    });
  }

  /** Those that nothing hinders and nobody stopped. */
  living(): readonly ManagedServer[] {
    return [...this.#servers.values()].filter(
      ({ hindrance, life }) => hindrance === undefined && life.state !== 'stopped',
    );
  }

  problems(): readonly ConfigProblem[] {
    return this.#problems;
  }

  questions(): readonly McpQuestion[] {
    return [...this.#servers.values()].flatMap((server) => questionOf(server, this.#trust) ?? []);
  }

  answer(question: McpQuestion, accepted: boolean): Promise<boolean> {
    return this.#queue.run(async () => {
      // What is written down may be another by now.
      await this.#refresh();
      const managed = this.#servers.get(question.server);
      if (!managed || !keepWord(managed, { question, accepted }, this.#trust)) return false;
      managed.isReconsidered = false;
      this.#settle(managed);
      this.#reoffer(managed);
      return true;
    });
  }

  restart(server: string): Promise<void> {
    // In the queue: what is written down must not be replaced while it stops, or nobody would know of the one that starts.
    return this.#queue.run(async () => {
      const managed = this.#servers.get(server);
      if (!managed) return;
      managed.isHeld = false;
      managed.isReconsidered = true;
      await managed.life.stop();
      this.#settle(managed);
      this.#tell();
    });
  }

  stop(server: string): Promise<void> {
    return this.#queue.run(async () => {
      const managed = this.#servers.get(server);
      if (!managed) return;
      managed.isHeld = true;
      await managed.life.stop();
    });
  }

  /** What went wrong is in the server's row. */
  async signIn(server: string): Promise<void> {
    const managed = this.#servers.get(server);
    if (!managed?.agent || managed.hindrance !== undefined) return;
    const signedIn = await managed.agent.signIn(this.#over.signal);
    if (signedIn.ok) return this.restart(server);
    managed.log.add(`Belay: ${signedIn.error}`);
    managed.life.say(signedIn.error);
  }

  async signOut(server: string): Promise<void> {
    const managed = this.#servers.get(server);
    if (!managed?.agent) return;
    await managed.agent.signOut();
    await this.restart(server);
  }

  log(server: string): string {
    return this.#options.redact(this.#servers.get(server)?.log.text() ?? '');
  }

  /** Makes the offers anew where the person has switched or marked tools since they were made. */
  reoffer(): void {
    const { mcpDisabled, mcpReadOnlyTools } = this.#options.host.settings.current();
    const now = JSON.stringify([mcpDisabled, mcpReadOnlyTools]);
    if (now === this.#switches) return;
    this.#switches = now;
    for (const server of this.#servers.values()) this.#reoffer(server);
  }

  /** Fulfilled when none of the servers runs any more. */
  async close(): Promise<void> {
    this.#over.abort();
    await this.#queue.run(async () => {
      await Promise.all([...this.#servers.values()].map(({ life }) => life.stop()));
    });
    clearTimeout(this.#telling);
    this.#watchdog.dispose();
    this.#changed.dispose();
    this.#offered.dispose();
  }

  dispose(): void {
    void this.close();
  }

  async #refresh(): Promise<void> {
    if (this.#over.signal.aborted) return;
    const { servers, problems } = await this.#finder.find();
    for (const words of newProblems(problems, this.#problems)) this.#options.host.log.warn(`mcp: ${words}`);
    this.#problems = problems;
    const wanted = new Map(servers.map((found) => [found.config.name, found]));
    for (const [name, { found, life }] of this.#servers) {
      const now = wanted.get(name);
      if (now && contentKey(now) === contentKey(found)) continue;
      this.#servers.delete(name);
      await life.stop();
    }
    for (const found of wanted.values()) this.#settle(this.#managed(found));
    this.reoffer();
    this.#tell();
  }

  #managed(found: FoundServer): ManagedServer {
    const { name } = found.config;
    const known = this.#servers.get(name);
    if (known) {
      known.found = found;
      return known;
    }
    const { host, root, pause = delay, hide } = this.#options;
    const made = newServer(found, {
      ...{ host, root, pause },
      watchdog: this.#watchdog,
      keepSecret: hide,
      logged: () => this.#tell(),
      changed: (server) => this.#lived(server),
    });
    this.#servers.set(name, made);
    return made;
  }

  /** Starts what may run and stops what may not any more. */
  #settle(server: ManagedServer): void {
    server.hindrance = hindranceOf(server.found, this.#options, this.#trust);
    if (server.hindrance !== undefined || this.#over.signal.aborted) void server.life.stop();
    else if (!server.isHeld) server.life.start();
  }

  /** Its state or what it offers is another. */
  #lived(server: ManagedServer): void {
    try {
      this.#reoffer(server);
    } catch (error) {
      // Its life goes on when the store can't be written; what isn't known to be accepted isn't offered.
      server.offer = { definitions: [], rows: [] };
      this.#options.host.log.error(`mcp: ${messageOf(error)}`);
    }
    this.#tell();
  }

  #reoffer(server: ManagedServer): void {
    if (this.#over.signal.aborted) return;
    const before = JSON.stringify(server.offer.rows);
    offerAnew(server, this.#trust, this.#options.host.settings.current());
    if (before !== JSON.stringify(server.offer.rows)) this.#tell();
    this.#offered.emit();
  }

  #tell(): void {
    if (this.#telling || this.#over.signal.aborted) return;
    this.#telling = setTimeout(() => {
      this.#telling = undefined;
      this.#changed.emit();
    }, TELL_MS);
  }
}
