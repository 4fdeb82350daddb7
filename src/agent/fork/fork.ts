import type { Core } from '#agent/core';
import { t } from '#base/l10n';
import { ok, type Result } from '#base/result';
import { permittedMode } from '#gates/settings-files/forbids';
import type { EventBody } from '#protocol/event';
import type { ArtifactId, CheckpointId, MessageId, SessionId } from '#protocol/ids';
import type { StoredCheckpoint } from '#store/checkpoints';
import { BEFORE_FORK } from '#store/forks';
import type { StoredSession } from '#store/sessions';
import { eventInFork, type ForkNames, type Rewinds, rewindsIn } from './events';
import { withEveryResult } from './messages';
import { type ForkPoint, forkPoint } from './point';

/** What a fork is made from. */
export interface ForkWorld extends Pick<Core, 'store'> {
  readonly host: Pick<Core['host'], 'clock' | 'random'>;
  readonly workspace: Pick<Core['workspace'], 'root'>;
  readonly settingsFiles: Pick<Core['settingsFiles'], 'current'>;
  readonly checkpoints: Pick<Core['checkpoints'], 'list'>;
}

/**
 * Makes a new session of what another was before one of its turns, or after its last: conversation, todos, what was read, which tools are on, what its
 * turns changed. Contents of files and long outputs are shared; what is undone in one stays as it is in the other. The original isn't
 * touched, whoever works in it. All or nothing.
 */
export function forkSession(
  core: ForkWorld,
  from: StoredSession,
  turn: number | undefined,
): Result<StoredSession, string> {
  return core.store.transaction(() => {
    const point = forkPoint(core.store, from.id, turn);
    if (!point.ok) return point;
    return ok(new Fork(core, from, point.value).make(turn));
  });
}

/** A fork in the making: one transaction holds all of it. */
class Fork {
  readonly #core: ForkWorld;
  readonly #from: StoredSession;
  readonly #point: ForkPoint;
  readonly #rewinds: Rewinds;
  readonly #id: SessionId;
  /** Sequences of the original's events that went along, and what each became. */
  readonly #places: { readonly original: number; readonly own: number }[] = [];
  #births = 0;

  constructor(core: ForkWorld, from: StoredSession, point: ForkPoint) {
    this.#core = core;
    this.#from = from;
    this.#point = point;
    this.#rewinds = rewindsIn(point.events);
    this.#id = core.host.random.id() as SessionId;
  }

  make(turn: number | undefined): StoredSession {
    const { store } = this.#core;
    const session = this.#create();
    store.forks.note({ from: this.#from.id, to: this.#id }, turn);
    const names = { sessionId: this.#id, checkpoints: this.#newCheckpoints(), place: this.#place };
    this.#copyEvents(names);
    this.#copyMessages();
    store.forks.copyReads({ from: this.#from.id, to: this.#id }, this.#point.sequence, (at) =>
      this.#place(at),
    );
    this.#copyActivations();
    this.#copyCheckpoints(names);
    this.#shareArtifacts();
    store.forks.copyReviewMarks({ from: this.#from.id, to: this.#id });
    this.#conclude(turn);
    return session;
  }

  #create(): StoredSession {
    const { store, host, settingsFiles, workspace } = this.#core;
    const at = host.clock.now();
    const title = t('Fork of {0}', this.#from.title || t('New session'));
    const { modelId } = this.#from;
    // Full access is never stored, so it doesn't go along.
    const mode = permittedMode(this.#from.mode, settingsFiles.current());
    const session = { id: this.#id, folder: workspace.root, title, mode, modelId, at };
    store.sessions.create(session);
    this.#append({ type: 'session.created', title: '' });
    this.#append({ type: 'session.titled', title });
    this.#append({ type: 'mode.changed', mode });
    this.#births = this.#append({ type: 'model.changed', modelId });
    return { ...session, createdAt: at };
  }

  /** A new id for each turn before the fork. */
  #newCheckpoints(): ReadonlyMap<CheckpointId, CheckpointId> {
    const { random } = this.#core.host;
    return new Map(this.#point.turns.map(({ id }) => [id, random.id() as CheckpointId]));
  }

  #copyEvents(names: ForkNames): void {
    for (const event of this.#point.events) {
      const body = eventInFork(event, this.#rewinds, names);
      if (!body) continue;
      this.#places.push({ original: event.sequence, own: this.#append(body, event.at) });
    }
  }

  #copyMessages(): void {
    const { store, host } = this.#core;
    const counted = store.forks
      .messages(this.#from.id, this.#point.sequence)
      .filter(({ sequence }) => !this.#rewinds.coverEvent(sequence));
    for (const { sequence, body } of withEveryResult(counted, () => host.random.id() as MessageId)) {
      store.messages.append(this.#id, body, this.#place(sequence));
      if (body.kind === 'user') for (const artifact of body.artifacts ?? []) this.#share(artifact);
      // What a compaction left out can be read as an output of its own.
      if (body.kind === 'compaction') for (const { artifact } of body.leftOut) this.#share(artifact);
    }
  }

  #copyActivations(): void {
    const { toolActivations } = this.#core.store;
    for (const { sequence, ...activation } of toolActivations.until(this.#from.id, this.#point.sequence))
      if (!this.#rewinds.coverEvent(sequence))
        toolActivations.add(this.#id, activation, this.#place(sequence));
  }

  #copyCheckpoints({ checkpoints }: ForkNames): void {
    const { store } = this.#core;
    for (const { id, startSequence, rewoundBy } of this.#point.turns) {
      const copy = checkpoints.get(id);
      if (!copy) continue;
      const isRewound = rewoundBy === BEFORE_FORK || this.#rewinds.coverTurn(startSequence);
      store.forks.copyCheckpoint(
        { from: this.#from.id, to: this.#id },
        { id, copy, startSequence: this.#place(startSequence), isRewound },
      );
    }
  }

  #shareArtifacts(): void {
    for (const event of this.#point.events)
      if (event.type === 'tool.completed') this.#share(event.artifact?.id);
  }

  #share(artifact: ArtifactId | undefined): void {
    if (artifact) this.#core.store.artifacts.share(artifact, this.#from.id, this.#id);
  }

  /** What is true now: where it came from, the todo list, which turns are undone. */
  #conclude(turn: number | undefined): void {
    const { store } = this.#core;
    const { id, title } = this.#from;
    this.#append({ type: 'session.forked', from: id, title, ...(turn === undefined ? {} : { turn }) });
    const { todos } = this.#point;
    store.todos.write(this.#id, todos);
    this.#append({ type: 'todos.changed', todos });
    const rows = store.checkpoints.list(this.#id);
    const undone = named(rows.filter((row) => store.forks.isUndone(row.id)));
    const pruned = named(rows.filter(({ prunedAt }) => prunedAt !== undefined));
    if (undone)
      this.#append({ type: 'checkpoint.undone', operation: 'before the fork', ...undone, files: [] });
    if (pruned) this.#append({ type: 'checkpoint.pruned', ...pruned });
    for (const checkpoint of this.#core.checkpoints.list(this.#id)) {
      const isPart = checkpoint.state !== 'undone' && checkpoint.files.some((file) => file.undone);
      if (isPart) this.#append({ type: 'checkpoint.changed', turnId: checkpoint.turnId, checkpoint });
    }
  }

  #append(body: EventBody, at = this.#core.host.clock.now()): number {
    return this.#core.store.events.append(this.#id, body, at).sequence;
  }

  /** The fork's own sequence for one of the original: that of the last event up to there that went along. */
  readonly #place = (original: number): number => {
    let [low, high] = [0, this.#places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#places[middle]?.original ?? 0) <= original) low = middle + 1;
      else high = middle;
    }
    return this.#places[low - 1]?.own ?? this.#births;
  };
}

/** As events name turns; undefined for none. */
function named(rows: readonly StoredCheckpoint[]) {
  if (rows.length === 0) return undefined;
  return { turns: rows.map(({ turn }) => turn), checkpointIds: rows.map(({ id }) => id) };
}
