import type { Core } from '#agent/core';
import type { ArtifactId, CallId, SessionId, TurnId } from '#protocol/ids';
import { ENDED_WITH_WINDOW, toldEnding } from './endings';
import type { Kept } from './kept';

/** Bytes: what is longer is kept as an artifact when it is over. */
const LONG_OUTPUT = 16_000;
/** Bytes of its end that the model is told. */
const LAST_LINES = 1500;

/** Which call asked for it. */
export interface AskedBy {
  readonly turnId: TurnId;
  readonly callId: CallId;
}

/** What the store has of a session's background commands: it outlives them and the window. */
export class BackgroundRecords {
  readonly #core: Pick<Core, 'store' | 'host' | 'redactor'>;
  readonly #sessionId: SessionId;

  constructor(core: Pick<Core, 'store' | 'host' | 'redactor'>, sessionId: SessionId) {
    this.#core = core;
    this.#sessionId = sessionId;
  }

  /** How many there ever were. */
  get count(): number {
    return this.#core.store.backgroundCommands.count(this.#sessionId);
  }

  started({ id, request, startedAt }: Kept, { turnId, callId }: AskedBy): void {
    const { store, redactor } = this.#core;
    const { command, description, cwd } = redactor.value(request);
    const row = { id, turnId, callId, command, description, cwd, pty: request.pty, startedAt };
    store.backgroundCommands.started(this.#sessionId, row);
  }

  /** A long output becomes an artifact and leaves the memory. Where that was put, if so. */
  ended(
    { id, command }: Kept,
    { at, ending }: { readonly at: number; readonly ending: string },
  ): ArtifactId | undefined {
    const { store, host } = this.#core;
    const artifact = command.bytes > LONG_OUTPUT ? (host.random.id() as ArtifactId) : undefined;
    if (artifact) store.artifacts.put(this.#sessionId, artifact, command.whole(), at);
    store.backgroundCommands.ended(this.#sessionId, id, {
      endedAt: at,
      ending,
      lastLines: command.last(LAST_LINES),
      ...(artifact ? { artifactId: artifact } : {}),
    });
    if (artifact) command.shrink();
    return artifact;
  }

  /** The model knows how it ended. */
  told(id: string): void {
    this.#core.store.backgroundCommands.told(this.#sessionId, id);
  }

  /** What the model hasn't heard of how commands ended; told with this. */
  takeNotes(): string | undefined {
    const ended = this.#core.store.backgroundCommands.untold(this.#sessionId);
    for (const { id } of ended) this.told(id);
    return ended.length === 0 ? undefined : ended.map(toldEnding).join('\n\n');
  }

  /** Commands of a host that is gone went with it; `isHere` knows those of this one. */
  endLost(isHere: (id: string) => boolean): void {
    const { store, host } = this.#core;
    for (const id of store.backgroundCommands.unfinished(this.#sessionId)) {
      if (isHere(id)) continue;
      const ending = ENDED_WITH_WINDOW;
      store.backgroundCommands.ended(this.#sessionId, id, {
        endedAt: host.clock.now(),
        ending,
        lastLines: '',
      });
    }
  }
}
