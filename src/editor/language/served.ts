import * as vscode from 'vscode';
import { isTypeScriptFile } from '#editor/typescript-server';

/** Whether anybody answers for a language. `failed`: a server that the person configured, and it doesn't run. */
export type ServedBy =
  | { readonly kind: 'extension' | 'server' | 'nobody' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'failed'; readonly why: string };

/** The servers that the person configured. */
export interface ConfiguredServers {
  /** Undefined for a document that none of them serves. */
  by(document: vscode.TextDocument): ServedBy | undefined;
  /** Waits for a server of this document that is on its way; a few seconds at most. */
  started(document: vscode.TextDocument): Promise<void>;
  /** Waits until it has said what it finds in the document's present text; a few seconds at most. */
  looked(document: vscode.TextDocument): Promise<void>;
  /** Whether it has. */
  hasLooked(document: vscode.TextDocument): boolean;
  /** Whether one of them runs. */
  isAnyRunning(): boolean;
}

/** Milliseconds after the first question in a language in which nothing found may mean that its server has only just started. */
const YOUNG = 30_000;

/**
 * Who answers for a language. The editor doesn't tell which providers there are, so an installed extension that is activated by the
 * language and has a program of its own counts.
 */
export class Served {
  readonly #configured: ConfiguredServers | undefined;
  readonly #firstAsked = new Map<string, number>();
  readonly #proven = new Set<string>();

  constructor(configured?: ConfiguredServers) {
    this.#configured = configured;
  }

  by(document: vscode.TextDocument): ServedBy {
    const configured = this.#configured?.by(document);
    if (configured && configured.kind !== 'nobody') return configured;
    return { kind: claimants(document.languageId).length > 0 ? 'extension' : 'nobody' };
  }

  /** Waits until the extensions of the language have been activated: before, nobody answers and nobody says so. */
  async start(document: vscode.TextDocument): Promise<void> {
    const { languageId } = document;
    if (!this.#firstAsked.has(languageId)) this.#firstAsked.set(languageId, performance.now());
    if (this.#proven.has(languageId)) return;
    await Promise.allSettled([
      ...claimants(languageId).map((extension) => extension.activate()),
      this.#configured?.started(document),
    ]);
  }

  /** Waits until a server that looks at files without a tab has looked at this one. */
  async looked(document: vscode.TextDocument): Promise<void> {
    await this.#configured?.looked(document);
  }

  /** Whether a server runs that the person set up. */
  isAnyRunning(): boolean {
    return this.#configured?.isAnyRunning() ?? false;
  }

  /** Whether a server has told its problems of the document's present text. */
  hasLooked(document: vscode.TextDocument): boolean {
    return this.#configured?.hasLooked(document) ?? false;
  }

  /** An answer came that wasn't empty. */
  proved({ languageId }: vscode.TextDocument): void {
    this.#proven.add(languageId);
  }

  /** Nothing found may mean that the server is still starting. */
  isYoung(document: vscode.TextDocument): boolean {
    const { languageId } = document;
    if (this.by(document).kind === 'starting') return true;
    if (this.#proven.has(languageId)) return false;
    const asked = this.#firstAsked.get(languageId);
    return asked === undefined || performance.now() - asked < YOUNG;
  }
}

/** TypeScript's server answers some questions from single files while it still reads the project. */
export function readsProjectFirst({ uri }: vscode.TextDocument): boolean {
  return isTypeScriptFile(uri.path);
}

interface Manifest {
  readonly main?: unknown;
  readonly activationEvents?: readonly unknown[];
  readonly contributes?: { readonly languages?: readonly { readonly id?: unknown }[] };
}

/** A language that an extension contributes activates it, too, where it has a program. */
function claimants(languageId: string): readonly vscode.Extension<unknown>[] {
  return vscode.extensions.all.filter(({ packageJSON }) => {
    const { main, activationEvents, contributes } = packageJSON as Manifest;
    if (typeof main !== 'string') return false;
    if (activationEvents?.includes(`onLanguage:${languageId}`)) return true;
    const languages = contributes?.languages;
    return Array.isArray(languages) && languages.some((each) => each?.id === languageId);
  });
}
