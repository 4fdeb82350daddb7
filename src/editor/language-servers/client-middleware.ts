import type { CodeAction, Command, Uri } from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';
import { sectionOf } from './configuration';
import type { ServerEntry } from './entries';

/**
 * What isn't offered: commands of a server would be registered in the editor under any name it likes, its own included, and would change
 * files behind the gates; a code lens does nothing but run one.
 */
export const LEFT_OUT: ReadonlySet<string> = new Set(['workspace/executeCommand', 'textDocument/codeLens']);

/** Files that one server may report on: what it invents beyond is dropped. */
const MOST_FILES = 20_000;

/** Hears that a server has told the problems of a document, and of which version where that is known. */
export type OnReport = (uri: Uri, version?: number) => void;

/** What Belay changes of the traffic between editor and server. */
export function middlewareFor({ settings }: ServerEntry, onReport: OnReport): Middleware {
  const files = new Set<string>();
  return {
    workspace: {
      // Servers are told the entry's own settings, never the editor's: those may hold other extensions' secrets.
      configuration: ({ items }) => items.map(({ section }) => sectionOf(settings, section)),
      didChangeConfiguration: (_sections, next) => next(undefined),
    },
    handleRegisterCapability: async ({ registrations }, next) => {
      const offered = registrations.filter(({ method }) => !LEFT_OUT.has(method));
      thrown(await next({ registrations: offered }, NEVER));
    },
    handleUnregisterCapability: async ({ unregisterations }, next) => {
      const offered = unregisterations.filter(({ method }) => !LEFT_OUT.has(method));
      thrown(await next({ unregisterations: offered }, NEVER));
    },
    handleDiagnostics: (uri, diagnostics, next) => {
      if (files.size >= MOST_FILES && !files.has(uri.toString())) return;
      files.add(uri.toString());
      next(uri, diagnostics);
      onReport(uri);
    },
    provideDiagnostics: async (document, previousResultId, token, next) => {
      const [uri, version] = 'uri' in document ? [document.uri, document.version] : [document, undefined];
      const report = await next(document, previousResultId, token);
      // One that was cancelled comes as a report of nothing. Another is shown by the client in a moment.
      if (report && !token.isCancellationRequested) setImmediate(() => onReport(uri, version));
      return report;
    },
    provideCodeActions: async (...asked) => {
      const [document, range, context, token, next] = asked;
      const actions = (await next(document, range, context, token)) ?? [];
      return actions.filter(isMore).map(withoutCommand);
    },
    resolveCodeAction: async (action, token, next) => {
      const resolved = await next(action, token);
      return resolved && withoutCommand(resolved);
    },
  };
}

/** The library hands the token of a request on, and nobody cancels one that is answered at once. */
const NEVER = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose: () => undefined }),
};

/** The library's handlers throw why they refuse; their type also lets them return it. */
function thrown(refusal: unknown): void {
  if (refusal instanceof Error) throw refusal;
}

/** An action that does nothing but run a command of the server's has nobody to run it. */
function isMore(action: Command | CodeAction): action is CodeAction {
  if (typeof action.command === 'string') return false;
  return action.command === undefined || 'data' in action || ('edit' in action && action.edit !== undefined);
}

function withoutCommand(action: CodeAction): CodeAction {
  delete action.command;
  return action;
}
