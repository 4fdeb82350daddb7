import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Disposable } from '#base/disposable';
import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import type { Core } from '#editor/core';
import { type Post, showNotice } from '#editor/notices';
import { traceOf } from '#editor/report';
import type { ToHost } from '#protocol/wire';
import { PageFeed } from './feed';
import { panelHtml } from './html';
import type { StateWorld } from './state';

/** Carries out a message of a page that isn't about the page itself. */
export type OnMessage = (message: ToHost) => Promise<void>;

/** What the page keeps: drafts, reading places, unfolded rows. As JSON; empty when there is nothing. */
export interface Kept {
  readonly get: () => string;
  readonly set: (kept: string) => Thenable<void>;
}

export interface PageWorld {
  readonly core: Core;
  readonly extensionUri: vscode.Uri;
  readonly log: vscode.LogOutputChannel;
  readonly kept: Kept;
  readonly onMessage: OnMessage;
  /** The page got the keyboard or lost it. */
  readonly onFocus: (here: boolean) => void;
  /** What a page of one session says where that isn't to be had: it has no other to show. */
  readonly gone?: StateWorld['gone'];
}

/** What the page may load and do, wherever it stands. */
export function pageOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return {
    enableScripts: true,
    enableForms: false,
    localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist')],
  };
}

/** The chat's page, in the panel or in a tab: what it is told, and what it asks. */
export class ChatPage implements Disposable {
  readonly #world: PageWorld;
  readonly #feed: PageFeed;
  #webview: vscode.Webview | undefined;
  #editing: string | undefined;

  constructor(world: PageWorld) {
    this.#world = world;
    const send = (message: Parameters<Post>[0]) => void this.#webview?.postMessage(message);
    this.#feed = new PageFeed({ ...world, send });
  }

  /** Draws it in a webview; one that it was drawn in before isn't told any more. */
  draw(webview: vscode.Webview): void {
    const { extensionUri, kept, gone } = this.#world;
    this.#webview = webview;
    this.#feed.close();
    webview.onDidReceiveMessage((raw: unknown) => this.#receive(raw));
    webview.html = panelHtml(webview, {
      extensionUri,
      inTab: gone !== undefined,
      nonce: randomBytes(16).toString('base64'),
      kept: kept.get(),
      words: vscode.l10n.bundle,
    });
  }

  /** A hidden page is gone: what is told to it from here on it learns by the snapshot, once it is drawn again and says hello. */
  hidden(): void {
    this.#editing = undefined;
    this.#feed.close();
    this.#world.onFocus(false);
  }

  /** Something that it shows may have changed. */
  refresh(): void {
    this.#feed.refresh();
  }

  /** Now, or as soon as it is drawn. */
  whenOpen(run: () => void): void {
    this.#feed.whenOpen(run);
  }

  /** False when nobody sees it. */
  readonly post: Post = (message) => this.#feed.post(message);

  /** The question whose command is being edited on its card. */
  get editing(): string | undefined {
    return this.#editing;
  }

  dispose(): void {
    this.#webview = undefined;
    this.#feed.dispose();
  }

  /** Never rejects: what a person asked for and didn't get is told to them. */
  async #receive(raw: unknown): Promise<void> {
    const { log, core } = this.#world;
    try {
      const { toHostSchema } = await import('#protocol/wire');
      const { data, error } = toHostSchema.safeParse(raw);
      if (data) return await this.#carryOut(data);
      const why = error.issues.map((issue) => issue.message).join('; ');
      log.warn(`panel: dropped a message that doesn't parse: ${why}`);
    } catch (error) {
      log.error(traceOf(error));
      const [title, detail] = [t('That did not work'), messageOf(error)];
      showNotice(this.post, { sessionId: core.session?.id, severity: 'error', title, detail });
    }
  }

  /** What is about the page itself is done here, without loading what people's wishes need. */
  async #carryOut(message: ToHost): Promise<void> {
    switch (message.type) {
      case 'hello':
        return this.#feed.hello();
      case 'keep':
        return void (await this.#world.kept.set(message.kept));
      case 'editing':
        this.#editing = message.approvalId;
        return;
      case 'focus':
        return this.#world.onFocus(message.focused);
      default:
        return this.#world.onMessage(message);
    }
  }
}
