import type { SessionBackground } from '#agent/background/session-background';
import { compactByHand, notCompacted } from '#agent/compaction/by-hand';
import { callPrompt } from '#agent/contributed/call-prompt';
import type { PromptCall } from '#agent/contributed/prompts';
import { SessionHistory } from '#agent/history/session-history';
import { Emitter, type Event } from '#base/emitter';
import { t } from '#base/l10n';
import { fail, ok, type Result } from '#base/result';
import type { RestorePreview } from '#checkpoints/requests';
import type { CheckpointSummary, RedoScope, RestoreOutcome, RestoreScope } from '#protocol/checkpoint';
import type { AgentEvent, SessionEvent, TurnProblem, TurnStatus } from '#protocol/event';
import type { SessionId } from '#protocol/ids';
import type { Mention, Message } from '#protocol/message';
import type { Mode } from '#protocol/settings';
import type { Transcript } from '#protocol/transcript';
import type { StoredSession } from '#store/sessions';
import { chooseMode, chooseModel, recordBirth } from './choices';
import type { Core } from './core';
import { type ExplainedHere, explainHere } from './explain';
import { LiveTranscript } from './live-transcript';
import { Occupation } from './occupation';
import type { Recovered } from './recovery';
import { Restoring, type Sides, type UndoOptions } from './restoring';
import { Review } from './review';
import { type SessionState, sessionState } from './session-state';
import { attachPlace } from './tool-context';
import type { TurnEnd } from './turn';
import { CLOSING, runTurn, type TurnRequest } from './turn-run';
import { Writer } from './writer';

/** One conversation, open. At most one turn runs in it; only the holder of its lease writes to it. */
export class Session {
  readonly id: SessionId;
  readonly #core: Core;
  readonly #state: SessionState;
  readonly #restoring: Restoring;
  readonly #problems = new Emitter<TurnProblem>();
  readonly #shown: LiveTranscript;
  readonly #writer: Writer;
  readonly #occupation = new Occupation();
  /** What was said in it, by pages, and its title. */
  readonly history: SessionHistory;

  /** Recorded events in order and live ones between them. */
  readonly onEvent: Event<AgentEvent>;
  /** What runs beside the conversation; it survives turns and ends with the window. */
  readonly background: SessionBackground;
  /** What no event could tell, since the store itself failed. */
  readonly onProblem: Event<TurnProblem> = this.#problems.event;
  /** What a person has still to look at. */
  readonly review: Review;

  constructor(core: Core, stored: StoredSession) {
    this.id = stored.id;
    this.#core = core;
    this.#state = sessionState(core, stored, { onLeaseLost: () => this.#writer.lose() });
    this.background = this.#state.background;
    this.#restoring = new Restoring(core, this.#state, () => this.transcript().reviewSince);
    this.#shown = new LiveTranscript(core.store, stored.id);
    const onLost = () => this.#leaseLost();
    this.#writer = new Writer({ core, session: this.#state, shown: this.#shown, onLost });
    this.history = new SessionHistory(core, this.#state, { mayWrite: () => !this.elsewhere });
    this.review = new Review({
      ...{ core, session: this.#state, restoring: this.#restoring },
      since: () => this.transcript().reviewSince,
      refusal: () => this.#refusal(),
      isElsewhere: () => this.elsewhere,
    });
    this.onEvent = this.#state.log.onEvent;
    this.onEvent((event) => this.#shown.fold(event));
    this.#writer.open();
  }

  /** The first events of a session that was just made. */
  recordBirth(): void {
    recordBirth(this.#state);
  }

  get running(): boolean {
    return this.#occupation.end !== undefined;
  }

  /** Another window holds this session's lease: read only here. */
  get elsewhere(): boolean {
    return this.#writer.isElsewhere;
  }

  /** What a crash had left open in it has been brought to an end. */
  get recovered(): Promise<Recovered> {
    return this.#writer.recovered;
  }

  get title(): string {
    return this.#state.title;
  }

  /** The end of it as a person sees it; earlier turns come by pages. */
  transcript(): Transcript {
    return this.#shown.get();
  }

  /** What the model sees of it. */
  messages(): readonly Message[] {
    return this.#state.conversation.messages;
  }

  /** What was recorded, in order. */
  events(): readonly SessionEvent[] {
    return this.#core.store.events.list(this.id);
  }

  /** Runs a turn; queues the text instead when one runs, and then ends with it. Rejects only for bugs. */
  send(text: string, mentions: readonly Mention[] = []): Promise<TurnStatus> {
    const { end } = this.#occupation;
    if (!end) return this.#run({ prompt: text, mentions });
    this.queue(text);
    return end;
  }

  /** Runs a turn with what a prompt of others comes to. Where that fails nothing is sent or recorded: the error is for people. */
  async call(
    text: string,
    call: PromptCall,
    mentions: readonly Mention[] = [],
  ): Promise<Result<TurnStatus, string>> {
    const why = this.#busy();
    if (why !== undefined) return fail(why);
    const failed: string[] = [];
    const status = await this.#turn(async (signal) => {
      const place = attachPlace(this.#core, this.id);
      const called = await callPrompt(call, place, signal);
      if (called.ok)
        return runTurn(this.#core, this.#state, { prompt: text, mentions, called: called.value }, signal);
      failed.push(called.error);
      return { status: 'failed' };
    });
    return failed[0] === undefined ? ok(status) : fail(failed[0]);
  }

  /** Goes along with the next request of the running turn. */
  queue(text: string): void {
    const { log, queue, turnId } = this.#state;
    queue.push(text);
    if (turnId) log.recordNow({ type: 'message.queued', turnId, text });
  }

  /** Goes on after a turn that didn't come to its end. */
  resume(): Promise<TurnStatus> {
    return this.#occupation.end ?? this.#run({ prompt: t('Go on.'), mentions: [], note: RESUME });
  }

  /** Makes room in the model's window now; `focus` is what the person wants kept in mind. Refused while a turn runs. */
  compact(focus = ''): Promise<TurnEnd> {
    const why = this.#busy();
    if (why !== undefined) return Promise.resolve(notCompacted(why));
    return this.#occupy((signal) => compactByHand(this.#core, this.#state, { focus, signal }));
  }

  /** At once; what runs is killed. */
  stop(): void {
    this.#occupation.stop(new DOMException('stopped by the person', 'AbortError'));
  }

  /** Makes this window the writer; the other one stops at its next word. */
  takeOver(): void {
    this.#writer.takeOver();
  }

  /** A mode that the policy forbids becomes the next stricter one. Throws when the store can't be written. */
  setMode(wanted: Mode): void {
    if (!this.elsewhere) chooseMode(this.#core, this.#state, wanted);
  }

  setModel(modelId: string): void {
    if (!this.elsewhere) chooseModel(this.#core, this.#state, modelId);
  }

  checkpoints(): readonly CheckpointSummary[] {
    return this.#restoring.checkpoints();
  }

  async preview(turn: number, scope: RestoreScope, options: UndoOptions = {}): Promise<RestorePreview> {
    if (!this.running) await this.recovered;
    return this.#restoring.preview(turn, scope, options);
  }

  /** What an undo would bring a file back to, and what Belay had left there. */
  sides(turn: number, path: string, options: UndoOptions = {}): Sides | undefined {
    return this.#restoring.sides(turn, path, options);
  }

  /** How the gates would judge a command line in it. Nothing is run, asked or recorded. */
  explain(command: string): Promise<ExplainedHere> {
    return explainHere(this.#core, this.#state, command);
  }

  /** Takes the session or its files back to before `turn`. Refused while a turn runs. */
  async undo(turn: number, scope: RestoreScope, options: UndoOptions = {}): Promise<RestoreOutcome> {
    return (await this.#refused()) ?? this.#restoring.undo(turn, scope, options);
  }

  /** Takes the last undo back; with `files`, of the last one that has files these alone. Refused while a turn runs. */
  async redo(scope?: RedoScope): Promise<RestoreOutcome> {
    return (await this.#refused()) ?? this.#restoring.redo(scope);
  }

  /** The turn that *Undo* without a number means. */
  get lastUndoable(): number | undefined {
    return this.#restoring.lastUndoable();
  }

  canRedo(scope?: RedoScope): boolean {
    return !this.running && !this.elsewhere && this.#restoring.canRedo(scope);
  }

  /** Stops what runs and waits for its end. */
  async close(): Promise<void> {
    this.#occupation.stop(CLOSING);
    const ended = this.#occupation.end?.catch(() => undefined);
    await Promise.all([ended, this.background.close()]);
    this.dispose();
  }

  dispose(): void {
    this.stop();
    void this.background.close();
    this.history.stopNaming();
    // First: it still has words to write.
    this.#state.log.dispose();
    this.#writer.dispose();
    this.#state.transcript.remove().catch(() => undefined);
    this.#problems.dispose();
  }

  #refusal(): RestoreOutcome | undefined {
    const why = this.#busy();
    return why === undefined ? undefined : { status: 'nothing', why };
  }

  /** The same, when what a failed store left open has been ended. */
  async #refused(): Promise<RestoreOutcome | undefined> {
    const why = this.#refusal();
    if (why) return why;
    await this.recovered;
    return this.#refusal();
  }

  #busy(): string | undefined {
    if (this.running) return t('A turn is running in this session. Stop it first.');
    return this.elsewhere ? t('Another window works in this session. Take it over first.') : undefined;
  }

  #run(request: TurnRequest): Promise<TurnStatus> {
    if (this.elsewhere) return Promise.resolve('failed');
    return this.#turn((signal) => runTurn(this.#core, this.#state, request, signal));
  }

  async #turn(work: (signal: AbortSignal) => Promise<TurnEnd>): Promise<TurnStatus> {
    const { status } = await this.#occupy(work);
    this.history.improveTitle();
    return status;
  }

  #occupy(work: (signal: AbortSignal) => Promise<TurnEnd>): Promise<TurnEnd> {
    const done = this.#occupation.begin(
      (signal) => this.recovered.then(() => work(signal)),
      ({ problem }) => {
        this.#state.turnId = undefined;
        if (problem?.kind === 'store') this.#problems.emit(problem);
        this.#core.changed();
      },
    );
    this.#core.changed();
    return done;
  }

  #leaseLost(): void {
    this.stop();
    // Nobody could be told any more how they end.
    void this.background.endAll();
    this.#core.changed();
  }
}

const RESUME =
  'The person asks you to go on where you stopped. Look at the present state first; don’t repeat what may already have happened.';
