import {
  CloseAction,
  type DidOpenTextDocumentParams,
  type DynamicFeature,
  ErrorAction,
  type InitializeParams,
  LanguageClient,
  type LanguageClientOptions,
  type Message,
  RevealOutputChannelOn,
  type StaticFeature,
  type VisibleDocuments,
} from 'vscode-languageclient/node';
import type { EditorLog } from '#editor/log';
import { LEFT_OUT, middlewareFor, type OnReport } from './client-middleware';
import { sectionOf } from './configuration';
import { languageFor, type ServerEntry } from './entries';
import { OpenDocuments } from './open-documents';
import type { ServerLog } from './server-log';
import type { Connect } from './start';
import { type Transport, transport } from './transport';

/** What a client writes to, and whom it tells. */
export interface ClientWindow {
  readonly channel: EditorLog;
  readonly log: ServerLog;
  /** The server has told the problems of this document, or that it has none. */
  readonly onReport: OnReport;
}

/** How long a server may take to say goodbye, in milliseconds; then its process is ended. */
const GOODBYE_MS = 1000;

/** Connects a program that was started for this entry to the editor, as an extension for its language would. */
export function connector(entry: ServerEntry, window: ClientWindow): Connect {
  return ({ stdin, stdout }, onBroken) => {
    const outgoing = (message: Message) => sent(entry, message);
    const streams = transport({ stdin, stdout, log: window.log, outgoing, onBroken });
    const client = new QuietClient(entry, async () => streams, window);
    return {
      initialized: client.start(),
      close: async () => {
        try {
          await client.dispose(GOODBYE_MS);
        } catch {
          // It never ran, or doesn't answer: its process is ended next.
        }
        client.released();
      },
    };
  };
}

function options(entry: ServerEntry, { channel, onReport }: ClientWindow): LanguageClientOptions {
  return {
    documentSelector: [
      ...entry.languages.map((language) => ({ scheme: 'file', language })),
      ...Object.keys(entry.endings).map((ending) => ({ scheme: 'file', pattern: `**/*${ending}` })),
    ],
    initializationOptions: entry.initializationOptions,
    // Has the settings pushed once at the start, for servers that don't ask; `sent` says which.
    synchronize: { configurationSection: 'belay.languageServers' },
    outputChannel: channel,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    middleware: middlewareFor(entry, onReport),
    // Belay starts it again, or doesn't.
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
    },
    initializationFailedHandler: () => false,
    // Which of them are started anew is Belay's affair too.
    connectionOptions: { maxRestartCount: 0 },
  };
}

/** What goes out: a document whose name decides is called by the server's name for its language; settings are the entry's. */
function sent(entry: ServerEntry, message: Message): Message {
  const { method, params } = message as { readonly method?: unknown; readonly params?: unknown };
  if (method === 'workspace/didChangeConfiguration')
    return { ...message, params: { settings: sectionOf(entry.settings, null) } } as Message;
  if (method !== 'textDocument/didOpen') return message;
  const { textDocument } = params as DidOpenTextDocumentParams;
  const languageId = languageFor(entry, { path: textDocument.uri, languageId: textDocument.languageId });
  return { ...message, params: { textDocument: { ...textDocument, languageId } } } as Message;
}

/** The library's client without what it would show by itself. */
class QuietClient extends LanguageClient {
  readonly #log: ServerLog;
  readonly #documents = new OpenDocuments();

  constructor(entry: ServerEntry, streams: () => Promise<Transport>, window: ClientWindow) {
    super(`belay.${entry.name}`, entry.name, streams, options(entry, window));
    this.#log = window.log;
  }

  /** Its listeners in the editor go. */
  released(): void {
    this.#documents.dispose();
  }

  /** Documents without a tab are looked at too: the agent opens them so. */
  override get visibleDocuments(): VisibleDocuments {
    return this.#documents;
  }

  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    if ('registrationType' in feature && LEFT_OUT.has(feature.registrationType.method)) return;
    super.registerFeature(feature);
  }

  override error(message: string, data?: unknown): void {
    this.#note(message, data);
  }

  override warn(message: string, data?: unknown): void {
    this.#note(message, data);
  }

  override info(message: string, data?: unknown): void {
    this.#note(message, data);
  }

  protected override fillInitializeParams(params: InitializeParams): void {
    super.fillInitializeParams(params);
    const { workspace, window } = params.capabilities;
    if (workspace) workspace.applyEdit = false;
    if (!window) return;
    window.showDocument = { support: false };
    window.workDoneProgress = false;
  }

  #note(message: string, data: unknown): void {
    this.#log.says(data === undefined || data === null ? message : `${message} ${this.#words(data)}`);
  }

  #words(data: unknown): string {
    return data instanceof Error ? data.message : String(data);
  }
}
