import type { App, AppSession } from '#app';
import type { ModelRequest } from '#models/model';
import { wireInput } from '#models/prompt-exchange';
import { wireIds } from '#models/wire-ids';
import type { FileChange, FileState } from '#protocol/checkpoint';
import type { SessionEvent } from '#protocol/event';
import type { Message, SentMessage } from '#protocol/message';
import type {
  CallReport,
  FileHash,
  FinalReport,
  FolderBits,
  LinkTarget,
  RequestMessage,
  RequestReport,
  TurnReport,
} from './scenario-wire';

/** What the model was sent, as a provider gets it: ids unique, arguments JSON objects. */
export function requestReport({ system, tools, messages }: ModelRequest): RequestReport {
  const ids = wireIds(messages);
  return {
    tools: tools.map(({ name }) => name),
    system,
    messages: messages.map((message) => requestMessage(message, ids)),
  };
}

function requestMessage(message: SentMessage, ids: ReadonlyMap<string, string>): RequestMessage {
  switch (message.kind) {
    case 'user':
      return { role: 'user', content: [message.text, message.attached].filter(Boolean).join('\n\n') };
    case 'note':
      return { role: 'user', content: message.text };
    case 'assistant': {
      const { parts } = message;
      const content = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
      const calls = parts.flatMap((part) => {
        if (part.kind !== 'call') return [];
        const { id, providerId, name, rawInput } = part.call;
        return [{ id: ids.get(id) ?? providerId, name, input: wireInput(rawInput) }];
      });
      return { role: 'assistant', content, calls };
    }
    case 'result': {
      const { status, code, content } = message.result;
      const id = ids.get(message.callId) ?? message.callId;
      return { role: 'tool', id, name: message.toolName, status, code, content };
    }
  }
}

/** What became of the last turn. */
export function turnReport(session: AppSession): TurnReport {
  const events = lastTurn(session.events());
  const messages = session.messages();
  const ids = scenarioIds(messages);
  const texts = events.flatMap((event) =>
    event.type === 'model.completed' && event.text ? [event.text] : [],
  );
  const end = events.findLast((event) => event.type === 'turn.ended');
  const status = end?.status ?? 'failed';
  const results = messages.flatMap((message): CallReport[] => {
    if (message.kind !== 'result' || message.turnId !== events[0]?.turnId) return [];
    const completed = events.find(
      (event) => event.type === 'tool.completed' && event.callId === message.callId,
    );
    const { version: _version, ...result } = message.result;
    return [
      {
        id: ids.get(message.callId) ?? message.callId,
        name: message.toolName,
        ...result,
        ...(completed?.type === 'tool.completed'
          ? { ...(completed.display ? { display: completed.display } : {}), trace: completed.trace }
          : { trace: [] }),
      },
    ];
  });
  return {
    // The format has no word for a turn that a crash cut off; the event log says `interrupted`.
    status: status === 'interrupted' ? 'failed' : status,
    text: texts.join('\n\n'),
    results,
    ids: Object.fromEntries(ids),
    ...(end?.problem ? { problem: end.problem } : {}),
  };
}

function lastTurn(events: readonly SessionEvent[]): readonly (SessionEvent & { readonly turnId?: string })[] {
  const start = events.findLastIndex((event) => event.type === 'turn.started');
  return start < 0 ? [] : events.slice(start);
}

/** Belay's own call ids → the scenario's. */
function scenarioIds(messages: readonly Message[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const message of messages) {
    if (message.kind !== 'assistant') continue;
    for (const part of message.parts) if (part.kind === 'call') ids.set(part.call.id, part.call.providerId);
  }
  return ids;
}

/** All that is left to tell when every step is done. */
export async function finalReport(app: App, session: AppSession): Promise<FinalReport> {
  const { kind } = await app.sandbox();
  return {
    pids: session.background.pids,
    events: session.events(),
    checkpoints: session.checkpoints().map(({ turn, state, files, commandChanges }) => ({
      turn,
      state,
      files: files.map(fileReport),
      commandChanges,
    })),
    sandbox: kind,
  };
}

function fileReport(change: FileChange): FinalReport['checkpoints'][number]['files'][number] {
  const { path, operation, from, before, after, added, removed } = change;
  return {
    path,
    op: operation,
    ...(from === undefined ? {} : { from }),
    before: hashOf(before),
    after: hashOf(after),
    added,
    removed,
  };
}

function hashOf(state: FileState): FileHash | FolderBits | LinkTarget | null {
  if (state.kind === 'absent') return null;
  if (state.kind === 'link') return { symlink: state.target };
  const mode = (state.mode & 0o7777).toString(8).padStart(3, '0');
  if (state.kind === 'folder') return { mode };
  return { sha256: state.sha256, bytes: state.bytes, mode };
}
