import { backgroundOf } from '#agent/background/start';
import type { AttachPlace } from '#agent/contributed/attached';
import type { PassedCall } from '#gates/context';
import { mayLook, mayRead, mayWrite } from '#gates/may-read';
import { createWriter } from '#gates/writer';
import type { ArtifactId, CallId, SessionId, TurnId } from '#protocol/ids';
import type { Artifacts, Todos, ToolContext, ToolPorts } from '#tools/tool';
import { commandRunner } from './command-runner';
import type { Core } from './core';
import type { SessionState } from './session-state';
import type { TurnTools } from './turn-tools';

/** What the gates and the tools may look at. */
export function toolPorts({ host, workspace, settingsFiles }: Core, session: SessionState): ToolPorts {
  const ports: ToolPorts = {
    workspace,
    files: host.files,
    documents: host.documents,
    encodings: host.encodings,
    intelligence: host.intelligence,
    environment: host.environment,
    clock: host.clock,
    get settings() {
      return host.settings.current();
    },
    reads: session.reads,
    background: session.background,
    mayRead: (path) => mayLook(ports, { rules: session.rules, files: settingsFiles.current() })(path),
  };
  return ports;
}

/** What one call that passed the gates acts with: a writer and a command runner bound to what it was allowed. */
export function toolContext(tools: TurnTools, passed: PassedCall): ToolContext {
  const { core, session, turnId, journal, signal, ports } = tools;
  const callId = passed.call.id;
  const { id: sessionId } = session;
  const deciding = {
    rules: session.rules,
    files: core.settingsFiles.current(),
    mode: passed.grant.mode,
  };
  return {
    ...ports,
    authorized: true,
    callId,
    turnId,
    signal,
    writer: createWriter({ journal, passed, ports, signal, mayWrite: mayWrite(passed, ports, deciding) }),
    mayRead: mayRead(passed, ports, deciding),
    commands: commandRunner(tools, passed),
    background: backgroundOf(tools, passed),
    artifacts: artifactsOf(core, sessionId),
    todos: todosOf(core, session),
    onProgress: (lastLine) => session.log.tell({ type: 'live.output', sessionId, turnId, callId, lastLine }),
  };
}

/** What attaching a file may do: look, and remember what was shown. It writes nothing and runs nothing. */
export function readingContext(core: Core, session: SessionState, turnId: TurnId): ToolContext {
  const refuse = () => {
    throw new Error('attaching a file changes nothing');
  };
  const { background: _, mayRead: __, ...ports } = toolPorts(core, session);
  return {
    ...ports,
    authorized: false,
    callId: '' as CallId,
    turnId,
    signal: new AbortController().signal,
    writer: { create: refuse, replace: refuse, rename: refuse, delete: refuse, replaceFound: refuse },
    commands: { run: refuse },
    artifacts: artifactsOf(core, session.id),
    todos: { list: () => [], write: refuse },
    onProgress: () => undefined,
  };
}

/** Where texts of others go that a person attaches. */
export function attachPlace(core: Core, sessionId: SessionId): AttachPlace {
  return { artifacts: artifactsOf(core, sessionId), redact: core.redactor.value };
}

/** The artifacts of one session. */
export function artifactsOf({ store, host }: Core, sessionId: SessionId): Artifacts {
  return {
    put: async (content) =>
      store.artifacts.put(sessionId, host.random.id() as ArtifactId, content, host.clock.now()),
    read: async (id, offset, maxBytes) => store.artifacts.read(sessionId, id as ArtifactId, offset, maxBytes),
    any: () => store.artifacts.any(sessionId),
  };
}

function todosOf({ store }: Core, { id, log }: SessionState): Todos {
  return {
    list: () => store.todos.list(id),
    async write(todos) {
      store.todos.write(id, todos);
      await log.record({ type: 'todos.changed', todos });
    },
  };
}
