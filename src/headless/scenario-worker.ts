import { type App, type AppSession, createApp } from '#app';
import { messageOf } from '#base/result';
import type { Prompter } from '#host';
import type { ApprovalAnswer } from '#protocol/approval';
import type { RestoreOutcome } from '#protocol/checkpoint';
import type { ScriptedAnswer, Step } from '#protocol/scenario';
import { settingsSchema } from '#protocol/settings';
import { Moments } from './moments';
import { nodeHost, stderrLog } from './node-host';
import { finalReport, requestReport, turnReport } from './scenario-reports';
import type { FromWorker, ToWorker, UndoReport } from './scenario-wire';
import { ScriptedModel } from './scripted-model';
import { settledServers } from './settled-servers';

/** The process that runs the real core for a scenario. It is killed like a crash; what it must not lose it has told its parent. */
export async function scenarioWorker(): Promise<void> {
  const send = (message: FromWorker) => process.send?.(message);
  const worker = new ScenarioWorker(send);
  process.on('message', (message: ToWorker) => {
    worker.handle(message).catch((error: unknown) => {
      send({
        type: 'failed',
        message: error instanceof Error ? (error.stack ?? error.message) : messageOf(error),
      });
    });
  });
  // Without its parent it has no one to work for.
  process.on('disconnect', () => process.exit(0));
}

/** Resolves when the message is out: a process that ends earlier leaves a large one half sent. */
function sendLast(message: FromWorker): Promise<void> {
  return new Promise((resolve) => {
    if (process.send) process.send(message, undefined, undefined, () => resolve());
    else resolve();
  });
}

class ScenarioWorker {
  readonly #send: (message: FromWorker) => void;
  #model = new ScriptedModel();
  readonly #moments: Moments;
  #answers: ScriptedAnswer[] = [];
  #resume: () => void = () => undefined;
  #open: { readonly app: App; readonly session: AppSession } | undefined;
  readonly #shown = new Set<string>();

  constructor(send: (message: FromWorker) => void) {
    this.#send = send;
    this.#moments = new Moments({
      idOf: (callId) => this.#idOf(callId),
      write: (files) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#resume = resolve;
        send({ type: 'write', files });
        return promise;
      },
      killMe: () => {
        send({ type: 'kill-me' });
        return new Promise<never>(() => undefined);
      },
      queue: (text) => this.#session().queue(text),
      stop: () => this.#session().stop(),
    });
  }

  async handle(message: ToWorker): Promise<void> {
    switch (message.type) {
      case 'start':
        return this.#start(message);
      case 'prompt': {
        const { step } = message;
        this.#model.play(step.model);
        this.#answers = [...step.answers];
        this.#moments.begin(step);
        await this.#session().send(
          step.prompt,
          (step.mentions ?? []).map((path) => ({ kind: 'file', path })),
        );
        return this.#reportTurn(this.#moments.unreached());
      }
      case 'act':
        return this.#act(message.step);
      case 'go-to':
        return this.#goTo(message.sessionId);
      case 'report-turn':
        return this.#reportTurn([]);
      case 'resume':
        return this.#resume();
      case 'finish':
        return this.#finish();
    }
  }

  async #start(start: Extract<ToWorker, { type: 'start' }>): Promise<void> {
    const { assumeSandbox, contextWindow, ...settings } = start.settings;
    this.#model = new ScriptedModel(
      (request) => this.#send({ type: 'request', request: requestReport(request) }),
      contextWindow,
    );
    const host = nodeHost({
      settings: settingsSchema.parse(settings),
      storage: start.storage,
      trusted: start.trusted,
      prompter: this.#prompter(),
      log: stderrLog(),
    });
    const created = await createApp(host, {
      folder: start.folder,
      models: { get: async () => ({ ok: true, value: this.#model }) },
      policy: start.policy,
      assumeSandbox,
      pace: this.#moments,
    });
    if (!created.ok) throw new Error(`${created.error.title}: ${created.error.detail}`);
    const app = created.value;
    if (start.accept)
      for (const shown of app.settings.project()) await app.settings.answer(shown, 'accepted');
    await settledServers(app);
    const session =
      start.sessionId === undefined
        ? app.createSession({ modelId: this.#model.id })
        : app.session(start.sessionId);
    if (!session) throw new Error('the session is gone from the store');
    // Danger mode is never a default and dies with its window; a scenario says it each time.
    if (session.transcript().mode !== settings.mode && start.setMode) session.setMode(settings.mode);
    this.#show(app, session);
    this.#send({ type: 'ready', sessionId: session.id });
  }

  /** Steps run in this session from now on. */
  #show(app: App, session: AppSession): void {
    this.#open = { app, session };
    if (this.#shown.has(session.id)) return;
    this.#shown.add(session.id);
    session.onEvent((event) => {
      if (event.type === 'live.output') this.#moments.output(event.callId);
      // The core can't wait at these two, so what happens there can't either.
      if (event.type === 'model.retrying' || event.type === 'message.queued') void this.#moments.after(event);
    });
  }

  #prompter(): Prompter {
    return {
      ask: async (request, signal) => {
        signal.throwIfAborted();
        const { tool, subject, summary, suggestedRule, concerns } = request;
        this.#send({ type: 'asked', asked: { tool, subject, summary, suggestedRule, concerns } });
        return { answer: asAnswer(this.#answers.shift() ?? 'deny-once'), by: 'script' };
      },
    };
  }

  async #act(step: Extract<ToWorker, { type: 'act' }>['step']): Promise<void> {
    const session = this.#session();
    if ('mode' in step) {
      session.setMode(step.mode);
      return this.#send({ type: 'acted' });
    }
    if ('fork' in step) return this.#fork(step.fork.turn);
    const outcome = await restore(session, step);
    this.#send({ type: 'acted', undo: undoReport(outcome) });
  }

  #fork(turn: number | undefined): void {
    const { app, session } = this.#opened();
    const forked = app.fork(session.id, turn);
    if (forked.ok) this.#show(app, forked.value);
    this.#send({ type: 'acted', ...(forked.ok ? { sessionId: forked.value.id } : { why: forked.error }) });
  }

  /** Goes on in a session that was left. */
  #goTo(sessionId: string): void {
    const { app } = this.#opened();
    const session = app.session(sessionId);
    if (!session) throw new Error('the session is gone from the store');
    this.#show(app, session);
    this.#send({ type: 'acted', sessionId });
  }

  #reportTurn(unreached: readonly string[]): void {
    this.#send({ type: 'turn-report', report: turnReport(this.#session()), unreached });
  }

  async #finish(): Promise<void> {
    const { app, session } = this.#opened();
    const report = await finalReport(app, session);
    await app.close();
    await sendLast({ type: 'finished', report });
    process.disconnect();
  }

  #idOf(callId: string): string | undefined {
    for (const message of this.#session().messages()) {
      if (message.kind !== 'assistant') continue;
      for (const part of message.parts)
        if (part.kind === 'call' && part.call.id === callId) return part.call.providerId;
    }
    return undefined;
  }

  #session(): AppSession {
    return this.#opened().session;
  }

  #opened(): { readonly app: App; readonly session: AppSession } {
    if (!this.#open) throw new Error('the core has not started');
    return this.#open;
  }
}

function asAnswer(answer: ScriptedAnswer): ApprovalAnswer {
  if (typeof answer === 'string') return { answer };
  const { rule, feedback, input } = answer;
  return {
    answer: answer.answer,
    ...(rule === undefined ? {} : { rule }),
    ...(feedback === undefined ? {} : { feedback }),
    ...(input === undefined ? {} : { input }),
  };
}

function restore(
  session: AppSession,
  step: Extract<Step, { undo: unknown } | { redo: unknown }>,
): Promise<RestoreOutcome> {
  if ('redo' in step) return session.redo();
  const { turn, scope, onConflict, choices, only, last, paths } = step.undo;
  return session.undo(turn, scope, {
    onConflict,
    ...(choices ? { choices } : {}),
    ...(only === undefined ? {} : { only }),
    ...(last === undefined ? {} : { last }),
    ...(paths ? { paths } : {}),
  });
}

function undoReport(outcome: RestoreOutcome): UndoReport {
  const empty = { conflicts: [], turns: [], files: [], notes: [] };
  return outcome.status === 'nothing'
    ? { ...empty, status: 'nothing', notes: [outcome.why] }
    : { ...empty, ...outcome, ...conflictsOf(outcome) };
}

function conflictsOf(outcome: RestoreOutcome): Pick<UndoReport, 'conflicts'> | undefined {
  return outcome.status === 'conflict'
    ? { conflicts: outcome.conflicts.map(({ path, why }) => ({ path, why })) }
    : undefined;
}
