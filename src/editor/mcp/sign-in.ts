import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '#base/disposable';
import type { Log } from '#host';
import type { SignIn } from '#host/sign-in';
import { ComeBacks } from './come-backs';

const PATH = '/mcp';

/** Where browsers come back to after a sign-in: the one handler of this extension's addresses. */
export class EditorSignIn implements SignIn, vscode.UriHandler, Disposable {
  readonly #id: string;
  readonly #log: Pick<Log, 'warn'>;
  readonly #backs: ComeBacks;
  readonly #owned = new DisposableStore();

  /** `id`: this extension's. */
  constructor(id: string, log: Pick<Log, 'warn'>) {
    this.#id = id;
    this.#log = log;
    this.#backs = this.#owned.add(new ComeBacks(log));
    this.#owned.add(vscode.window.registerUriHandler(this));
  }

  async redirectUrl(): Promise<string> {
    const own = vscode.Uri.parse(`${vscode.env.uriScheme}://${this.#id}${PATH}`);
    // With its query as it is: encoded anew it would be another one.
    return (await vscode.env.asExternalUri(own)).toString(true);
  }

  comeBack(state: string, signal: AbortSignal): Promise<URLSearchParams> {
    return this.#backs.wait(state, signal);
  }

  async handleUri({ path, query }: vscode.Uri): Promise<void> {
    if (path === PATH) await this.#backs.arrived(query);
    else this.#log.warn('sign-in: an address of Belay was opened that is none of its own');
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
