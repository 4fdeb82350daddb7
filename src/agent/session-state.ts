import { SessionBackground } from '#agent/background/session-background';
import { ContextSize } from '#agent/compaction/context-size';
import { SessionRulesFiles } from '#agent/rules-files/session-rules-files';
import { rulesFilesWorld } from '#agent/rules-files/world';
import { SessionRules } from '#gates/rules/session-rules';
import type { EventOf } from '#protocol/event';
import type { MessageId, SessionId, TurnId } from '#protocol/ids';
import type { Mode } from '#protocol/settings';
import type { SessionReads } from '#store/reads';
import type { StoredSession } from '#store/sessions';
import { TranscriptFile } from '#store/transcript-file';
import { Activations } from './activations';
import { Conversation } from './conversation';
import type { Core } from './core';
import { FailedInside } from './failed-inside';
import { SessionLog } from './session-log';

/** Turns that have ended, and how, where the store doesn't know. */
export type LeftOpen = ReadonlyMap<TurnId, Pick<EventOf<'turn.ended'>, 'status' | 'problem'>>;

/** What an open session holds in memory; everything but mode, rules and queue is also in the store. */
export interface SessionState {
  readonly id: SessionId;
  readonly log: SessionLog;
  readonly conversation: Conversation;
  /** How full the model's window is. */
  readonly size: ContextSize;
  readonly reads: SessionReads;
  /** The deferred tools that are switched on. */
  readonly activations: Activations;
  /** The workspace's own rules files, as far as they hold for what was touched. */
  readonly rulesFiles: SessionRulesFiles;
  /** Answers given in this window's run of the session. */
  readonly rules: SessionRules;
  /** What failed in the sandbox in this window's run of the session. */
  readonly failedInside: FailedInside;
  /** What runs beside the conversation. */
  readonly background: SessionBackground;
  /** What the person typed while a turn ran, oldest first. */
  readonly queue: string[];
  /** The turn that runs, once its beginning is recorded. */
  turnId: TurnId | undefined;
  /** Set while something could not be brought to its end, since the store failed: whoever needs it ended does that first. */
  leftOpen: LeftOpen | undefined;
  title: string;
  /** For hooks that read the conversation. */
  readonly transcript: TranscriptFile;
  /** The hooks of its beginning have run in this window. */
  greeted: boolean;
  modelId: string;
  /** As the person chose it; an untrusted folder is read-only whatever it says. */
  mode: Mode;
  /** Version of the tool table that the last request showed. */
  tableVersion: number | undefined;
}

/** Opens what the store has of it. `onLeaseLost` hears that another window writes to it now. */
export function sessionState(
  core: Core,
  stored: StoredSession,
  { onLeaseLost }: { onLeaseLost(): void },
): SessionState {
  const { store, host, owner, pace, redactor } = core;
  const { id, title, modelId, mode } = stored;
  const log = new SessionLog({
    sessionId: id,
    store,
    owner,
    clock: host.clock,
    redactor,
    pace,
    onListenerError: (error) => host.log.error(`a listener of session ${id} failed: ${String(error)}`),
    onLeaseLost,
  });
  const rules = new SessionRules();
  return {
    id,
    title,
    modelId,
    mode,
    log,
    conversation: new Conversation(
      () => host.random.id() as MessageId,
      () => store.messages.list(id),
    ),
    size: new ContextSize(),
    reads: store.reads.of(id, (write, over) => log.writeSoon(write, over)),
    activations: new Activations(store, id),
    rules,
    rulesFiles: new SessionRulesFiles(() => rulesFilesWorld(core, id, rules)),
    failedInside: new FailedInside(),
    background: new SessionBackground(core, id),
    transcript: new TranscriptFile(host.environment.storage, id),
    greeted: false,
    queue: [],
    turnId: undefined,
    leftOpen: undefined,
    tableVersion: undefined,
  };
}
