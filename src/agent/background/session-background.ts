import type { Core } from '#agent/core';
import { t } from '#base/l10n';
import { fail, messageOf, ok, type Result } from '#base/result';
import type { EndedBy } from '#commands/background/background-command';
import type { LongEnd } from '#commands/background/process';
import type { SessionId } from '#protocol/ids';
import type { BackgroundRow } from '#protocol/panel-state';
import type {
  BackgroundCommands,
  BackgroundLook,
  BackgroundOutput,
  BackgroundRequest,
  BackgroundStatus,
} from '#tools/commands/background';
import { endingWords, shownEnding } from './endings';
import { type Kept, type Started, statusOf } from './kept';
import { type AskedBy, BackgroundRecords } from './records';
import { openTerminal } from './terminal';
import { terminalNotice } from './terminal-words';

/** So many may run at once in one session. */
const MOST_RUNNING = 8;
/** Terminals of commands that are over stay listed for a while: so many of them. */
const MOST_ENDED_SHOWN = 4;
/** How long a tree may take to leave after SIGTERM, in milliseconds; a window that closes has less. */
const TERM_GRACE_MS = 2000;
const CLOSING_GRACE_MS = 800;

/** What the core must know of a session to look after its background commands. */
type Keeper = Pick<Core, 'store' | 'host' | 'redactor' | 'changed' | 'atWork'>;

/** The background commands of one session: they survive turns and undo, and end with the window. */
export class SessionBackground implements BackgroundLook {
  readonly #core: Keeper;
  readonly #records: BackgroundRecords;
  readonly #all = new Map<string, Kept>();
  readonly #pids: number[] = [];
  #starting = 0;
  #isClosed = false;

  constructor(core: Keeper, sessionId: SessionId) {
    this.#core = core;
    this.#records = new BackgroundRecords(core, sessionId);
  }

  /** Whether the tools that look after them are of any use. */
  any(): boolean {
    return this.#all.size > 0 || this.#records.count > 0;
  }

  list(): readonly BackgroundStatus[] {
    return [...this.#all.values()].map((kept) => statusOf(kept, this.#core.host.clock.now()));
  }

  get(id: string): BackgroundStatus | undefined {
    const kept = this.#all.get(id);
    return kept && statusOf(kept, this.#core.host.clock.now());
  }

  typing(id: string, text: string): ReturnType<BackgroundLook['typing']> {
    const typed = this.#all.get(id)?.command.typed;
    const doubt = typed?.doubt(text);
    return { line: typed?.with(text) ?? text, ...(doubt ? { doubt } : {}) };
  }

  /** Process ids of all that were ever started here. */
  get pids(): readonly number[] {
    return this.#pids;
  }

  /** For the calls of one turn; `start` runs what passed the gates. */
  commands(asked: AskedBy, start: (request: BackgroundRequest) => Promise<Started>): BackgroundCommands {
    return {
      list: () => this.list(),
      get: (id) => this.get(id),
      typing: (id, text) => this.typing(id, text),
      start: (request) => this.#start(request, asked, () => start(request)),
      output: (id, page) => this.#output(id, page),
      input: (id, token, text) => this.#withToken(id, token, ({ command }) => command.type(text)),
      resize: (id, token, size) =>
        this.#withToken(id, token, ({ command, view }) => {
          command.resize(size);
          view?.keepTo(size);
        }),
      cancel: (id) => this.stop(id, 'agent'),
    };
  }

  /** Ends one and all that it started; fulfilled when that is recorded. */
  async stop(id: string, by: EndedBy): Promise<void> {
    const kept = this.#all.get(id);
    await kept?.command.stop(by, TERM_GRACE_MS);
    await kept?.over;
    // Who ended it needn't be told.
    if (kept && by === 'agent') this.#records.told(id);
  }

  /** The agent may type again. */
  giveBack(id: string): void {
    const kept = this.#all.get(id);
    if (kept?.command.keyboard !== 'person') return;
    kept.command.giveBack();
    kept.view?.keepTo(kept.command.size);
    kept.view?.write(terminalNotice(t('Belay has the keyboard again')));
    this.#core.changed();
  }

  /** Shows its terminal: the person asked for that. */
  show(id: string): void {
    this.#all.get(id)?.view?.show();
  }

  /** What a person sees of them: those that run, and those that have just ended. */
  rows(): readonly BackgroundRow[] {
    return [...this.#all.values()]
      .filter(({ isOld }) => !isOld)
      .map(({ id, request, command, endedAt, ending }) => ({
        id,
        command: this.#core.redactor.value(request.command),
        running: endedAt === undefined,
        ending: ending === undefined ? '' : shownEnding(ending, command.endedBy),
        taken: endedAt === undefined && command.keyboard === 'person',
      }));
  }

  /** What the model hasn't heard of how commands ended; told with this. */
  takeNotes(): string | undefined {
    for (const kept of this.#all.values()) kept.isOld = kept.endedAt !== undefined;
    return this.#records.takeNotes();
  }

  /** Commands of a host that is gone went with it. Only for whoever holds the session. */
  recover(): void {
    this.#records.endLost((id) => this.#all.has(id));
  }

  /** Ends all of them: the window goes. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.endAll();
  }

  /** Ends all of them as far as they have started; another window writes to the session now, perhaps. */
  async endAll(): Promise<void> {
    await Promise.all(
      [...this.#all.values()].map(async ({ command, over, view }) => {
        await command.stop('window', CLOSING_GRACE_MS);
        await over;
        view?.dispose();
      }),
    );
  }

  async #start(
    request: BackgroundRequest,
    asked: AskedBy,
    start: () => Promise<Started>,
  ): Promise<BackgroundStatus> {
    const running = [...this.#all.values()].filter(({ command }) => command.end === undefined);
    if (running.length + this.#starting >= MOST_RUNNING) throw tooMany(running.map(({ id }) => id));
    this.#starting++;
    try {
      const kept = this.#keep(request, asked, await start());
      if (this.#isClosed) void kept.command.stop('window', 0);
      this.#core.changed();
      return statusOf(kept, this.#core.host.clock.now());
    } finally {
      this.#starting--;
    }
  }

  #keep(request: BackgroundRequest, asked: AskedBy, started: Started): Kept {
    const { host, redactor, atWork } = this.#core;
    const id = `c${this.#records.count + 1}`;
    const kept: Kept = { ...started, id, request, startedAt: host.clock.now() };
    const atWorkNow = atWork.begin(redactor.value(request.command));
    kept.over = started.ended
      .then((end) => this.#ended(kept, end))
      .catch((error: unknown) => host.log.error(`background command ${id}: ${messageOf(error)}`))
      .finally(() => atWorkNow.dispose());
    this.#all.set(id, kept);
    this.#pids.push(started.pid);
    this.#records.started(kept, asked);
    kept.view = openTerminal(kept, this.#core, () => {
      kept.view = undefined;
      void this.stop(id, 'person');
    });
    return kept;
  }

  async #ended(kept: Kept, end: LongEnd): Promise<void> {
    const { host, changed } = this.#core;
    const { endedBy } = kept.command;
    kept.endedAt = host.clock.now();
    kept.ending = endingWords(end, endedBy);
    const artifact = this.#records.ended(kept, { at: kept.endedAt, ending: kept.ending });
    if (artifact) kept.artifact = artifact;
    kept.view?.write(terminalNotice(shownEnding(kept.ending, endedBy)));
    kept.view?.ended();
    const shown = [...this.#all.values()].filter((each) => each.command.end && each.view);
    for (const old of shown.slice(0, -MOST_ENDED_SHOWN)) {
      old.view?.dispose();
      old.view = undefined;
    }
    changed();
  }

  async #output(
    id: string,
    { offset, maxBytes, waitMs, signal }: Parameters<BackgroundCommands['output']>[1],
  ): Promise<BackgroundOutput> {
    const kept = this.#all.get(id);
    if (!kept) throw new Error(`no background command ${id}`);
    const { command } = kept;
    await command.news(offset, waitMs, signal);
    if (command.end) await kept.over;
    const page = command.output(offset, maxBytes);
    if (command.end && page.next === page.end) this.#records.told(id);
    return { ...page, ...(kept.artifact ? { artifact: kept.artifact } : {}) };
  }

  /** Looked at again right before: a person may have typed since the gates were asked. */
  #withToken(id: string, token: string, act: (kept: Kept) => void): Result<void, string> {
    const kept = this.#all.get(id);
    if (!kept || kept.command.end) return fail(`${id} has ended`);
    if (kept.command.token !== token)
      return fail(`the user has taken over the keyboard of ${id}; nothing was typed or changed`);
    act(kept);
    return ok(undefined);
  }
}

function tooMany(ids: readonly string[]): Error {
  return new TooManyRunning(
    `${MOST_RUNNING} background commands run already (${ids.join(', ')}); end one with cancel_command first`,
  );
}

/** In words for the model. */
export class TooManyRunning extends Error {}
