import type { RestorePreview, RestoreReport, UndoRequest } from '#checkpoints/requests';
import type {
  CheckpointSummary,
  FileState,
  RedoScope,
  RestoreOutcome,
  RestoreScope,
} from '#protocol/checkpoint';
import type { TurnId } from '#protocol/ids';
import type { Core } from './core';
import type { SessionState } from './session-state';

/** How an undo is wanted: which turns and files, and what to do about files that changed since. */
export interface UndoOptions extends Omit<UndoRequest, 'sessionId' | 'turn' | 'scope' | 'reviewedSince'> {
  /** Only what waits for review: without what was kept. */
  readonly review?: boolean;
}

/** Two states of one file; `after` is undefined where nobody knows it. */
export interface Sides {
  readonly before: FileState;
  readonly after: FileState | undefined;
}

/** Undo and redo of one session: the checkpoints do it, the session tells of it and takes the conversation along. */
export class Restoring {
  readonly #core: Core;
  readonly #session: SessionState;
  readonly #reviewSince: () => number;

  /** `reviewSince`: the turn up to which all was kept. */
  constructor(core: Core, session: SessionState, reviewSince: () => number) {
    this.#core = core;
    this.#session = session;
    this.#reviewSince = reviewSince;
  }

  checkpoints(): readonly CheckpointSummary[] {
    return this.#core.checkpoints.list(this.#session.id);
  }

  preview(turn: number, scope: RestoreScope, options: UndoOptions): Promise<RestorePreview> {
    return this.#core.checkpoints.preview(this.#request(turn, scope, options));
  }

  /** What an undo would bring a file back to, and what Belay had left there. */
  sides(turn: number, path: string, options: UndoOptions): Sides | undefined {
    return this.#core.checkpoints.sides(this.#request(turn, 'files', options), path);
  }

  async undo(turn: number, scope: RestoreScope, options: UndoOptions): Promise<RestoreOutcome> {
    const report = await this.#core.checkpoints.undo(this.#request(turn, scope, options));
    return this.tell(report, scope === 'files' ? 'took back' : undefined);
  }

  async redo(scope?: RedoScope): Promise<RestoreOutcome> {
    const wanted = scope ? { scope } : {};
    const report = await this.#core.checkpoints.redo({ sessionId: this.#session.id, ...wanted });
    const rewound = report.events.some(({ type }) => type === 'session.unwound');
    return this.tell(report, rewound ? undefined : 'brought back');
  }

  canRedo(scope?: RedoScope): boolean {
    return this.#core.checkpoints.canRedo(this.#session.id, scope);
  }

  lastUndoable(): number | undefined {
    return this.#core.checkpoints.lastUndoable(this.#session.id);
  }

  /** The events are in the store already. `verb` says what the model has to know when its conversation stays as it is. */
  tell({ outcome, events }: RestoreReport, verb: string | undefined): RestoreOutcome {
    if (outcome.status !== 'done') return outcome;
    const { conversation, log } = this.#session;
    conversation.reset();
    const turnId = conversation.messages.at(-1)?.turnId;
    if (verb && turnId && outcome.files.length > 0) this.#note(turnId, verb, outcome.files);
    log.announce(events);
    this.#core.changed();
    return outcome;
  }

  #request(turn: number, scope: RestoreScope, { review, ...options }: UndoOptions): UndoRequest {
    const reviewed = review ? { reviewedSince: this.#reviewSince() } : {};
    return { sessionId: this.#session.id, turn, scope, ...options, ...reviewed };
  }

  #note(turnId: TurnId, verb: string, files: readonly string[]): void {
    const { conversation, log } = this.#session;
    const named = files.slice(0, 20).join(', ') + (files.length > 20 ? ` and ${files.length - 20} more` : '');
    const text = `The person ${verb} your changes to: ${named}. Read these files again before you speak of them or edit them.`;
    log.note(conversation.note(turnId, text));
  }
}
