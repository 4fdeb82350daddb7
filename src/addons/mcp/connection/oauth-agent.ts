import {
  type AuthProvider,
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  type FetchLike,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import type { ResolvedHttp } from '#addons/mcp/config/resolve';
import { t } from '#base/l10n';
import { fail, messageOf, ok, type Result } from '#base/result';
import type { Questions } from '#host/questions';
import type { SignIn, Vault } from '#host/sign-in';
import { Credentials } from './credentials';
import { isVisitable } from './elicitation';
import { fetchFor } from './http-fetch';
import { Flow } from './oauth-flow';
import { outsideWords } from './problems';
import type { Challenge, SignInAgent } from './sign-in-agent';

/** What signing in takes of the world. */
export interface SignInPorts {
  readonly server: string;
  readonly questions: Questions;
  readonly signIn: SignIn;
  readonly vault: Vault;
}

/** How long a person may take in their browser, in milliseconds. */
const BROWSER_MS = 10 * 60_000;

/** Signs in at whatever a server names, by the SDK's OAuth with PKCE. Only the person begins it, and they see the whole address first. */
export class OAuthAgent implements SignInAgent {
  readonly provider: AuthProvider;
  readonly #url: URL;
  readonly #oauth: NonNullable<ResolvedHttp['oauth']>;
  readonly #ports: SignInPorts;
  readonly #credentials: Credentials;
  readonly #fetch: FetchLike;
  #challenge: Challenge = {};
  #refreshing: Promise<void> | undefined;

  constructor({ url, oauth = {} }: Pick<ResolvedHttp, 'url' | 'oauth'>, ports: SignInPorts) {
    this.#url = new URL(url);
    this.#oauth = oauth;
    this.#ports = ports;
    this.#credentials = new Credentials(ports.vault, this.#url, oauth.clientId ?? '');
    this.#fetch = fetchFor(this.#url);
    this.provider = {
      token: async () => (await this.#credentials.tokens())?.access_token,
      onUnauthorized: ({ response }) => this.#refused(response),
    };
  }

  demand({ scope, metadata }: Challenge): void {
    this.#challenge = {
      scope: computeScopeUnion(this.#challenge.scope, scope),
      metadata: metadata ?? this.#challenge.metadata,
    };
  }

  async signIn(signal: AbortSignal): Promise<Result<void, string>> {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(BROWSER_MS)]);
    try {
      const problem = await this.#throughBrowser(patience);
      return problem === undefined ? ok(undefined) : fail(problem);
    } catch (error) {
      if (patience.aborted) return fail(t('The sign-in was given up.'));
      return fail(t('The sign-in failed: {0}', outsideWords(error)));
    }
  }

  async signOut(): Promise<void> {
    await this.#credentials.forget('all');
  }

  async #throughBrowser(signal: AbortSignal): Promise<string | undefined> {
    const redirect = await this.#ports.signIn.redirectUrl();
    // Looked up anew: what an earlier sign-in found may not be so any more.
    this.#credentials.discovery = undefined;
    const flow = new Flow(this.#credentials, { redirect, oauth: this.#oauth });
    const begun = await this.#auth(flow, { forceReauthorization: true });
    if (begun === 'AUTHORIZED') return undefined;
    const back = await this.#visit(flow, signal);
    if (typeof back === 'string') return back;
    const code = back.get('code');
    // What a refusal says may be anybody's words: they aren't shown.
    if (back.get('state') !== flow.expectedState || code === null) return t('The sign-in was refused.');
    const iss = back.get('iss');
    const ended = await this.#auth(flow, { authorizationCode: code, ...(iss === null ? {} : { iss }) });
    return ended === 'AUTHORIZED' ? undefined : t('The sign-in was refused.');
  }

  /** What the browser came back with; a text says why it didn't. */
  async #visit(flow: Flow, signal: AbortSignal): Promise<URLSearchParams | string> {
    const { questions, signIn, server } = this.#ports;
    const { address, expectedState } = flow;
    if (!address || !isVisitable(address))
      return t('The server names no address to sign in at that is safe to open.');
    const over = new AbortController();
    const listening = AbortSignal.any([signal, over.signal]);
    // Listens before the browser opens: a quick answer must find somebody there.
    const coming = signIn.comeBack(expectedState, listening);
    coming.catch(() => undefined);
    try {
      const from = t('the MCP server {0}', server);
      const why = t('It wants you to sign in there.');
      const agreed = await questions.visit({ from, url: address.href, why }, signal);
      return agreed ? await coming : t('The page to sign in was not opened.');
    } finally {
      over.abort();
    }
  }

  async #refused(response: Response): Promise<void> {
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    this.demand({ scope, metadata: resourceMetadataUrl });
    // Several requests that are refused at once need one new token.
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    await this.#refreshing;
  }

  /** Without a browser; where that can't be, the person has to sign in. */
  async #refresh(): Promise<void> {
    const refused = await this.#credentials.tokens();
    const tokens = await this.#credentials.freshTokens();
    // Another window was faster. A refresh token that is used twice may cost both windows what was granted.
    if (tokens && tokens.access_token !== refused?.access_token) return;
    if (tokens?.refresh_token === undefined) throw new UnauthorizedError();
    const redirect = await this.#ports.signIn.redirectUrl();
    const flow = new Flow(this.#credentials, { redirect, oauth: this.#oauth });
    const ended = await this.#auth(flow, {}).catch((error: unknown) => messageOf(error));
    if (ended !== 'AUTHORIZED') throw new UnauthorizedError();
  }

  #auth(
    flow: Flow,
    more: { forceReauthorization?: boolean; authorizationCode?: string; iss?: string },
  ): Promise<'AUTHORIZED' | 'REDIRECT'> {
    const { scope, metadata } = this.#challenge;
    const wanted = computeScopeUnion(this.#oauth.scopes, scope);
    return auth(flow, {
      serverUrl: this.#url,
      fetchFn: this.#fetch,
      ...(wanted ? { scope: wanted } : {}),
      ...(metadata ? { resourceMetadataUrl: metadata } : {}),
      ...more,
    });
  }
}

/** Undefined where nobody could sign in, or the person wrote down another way to be let in. */
export function signInAgent(
  { url, oauth, headers }: ResolvedHttp,
  {
    server,
    questions,
    signIn,
    vault,
  }: { readonly [Port in keyof SignInPorts]: SignInPorts[Port] | undefined },
): SignInAgent | undefined {
  const hasOwn = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  if (hasOwn || server === undefined || !questions || !signIn || !vault) return undefined;
  return new OAuthAgent({ url, ...(oauth ? { oauth } : {}) }, { server, questions, signIn, vault });
}
