import { randomBytes } from 'node:crypto';
import {
  type AuthProvider,
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  type FetchLike,
  type OAuthClientInformationContext,
  type OAuthClientProvider,
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
    const tokens = await this.#credentials.tokens();
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

/** One walk through the SDK's OAuth: it never opens anything itself, it only notes where the person would have to go. */
class Flow implements OAuthClientProvider {
  address: URL | undefined;
  readonly expectedState = randomBytes(32).toString('base64url');
  readonly redirectUrl: string;
  readonly #credentials: Credentials;
  readonly #oauth: NonNullable<ResolvedHttp['oauth']>;

  constructor(
    credentials: Credentials,
    { redirect, oauth }: { readonly redirect: string; readonly oauth: NonNullable<ResolvedHttp['oauth']> },
  ) {
    this.#credentials = credentials;
    this.redirectUrl = redirect;
    this.#oauth = oauth;
  }

  get clientMetadata() {
    return {
      client_name: 'Belay',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...(this.#oauth.scopes ? { scope: this.#oauth.scopes } : {}),
    };
  }

  state(): string {
    return this.expectedState;
  }

  /** A registration for another redirect address is of no use. */
  async clientInformation(at?: OAuthClientInformationContext) {
    if (this.#oauth.clientId !== undefined)
      return { client_id: this.#oauth.clientId, ...(at ? { issuer: at.issuer } : {}) };
    const known = await this.#credentials.client();
    if (!known || !('redirect_uris' in known)) return known;
    return known.redirect_uris?.includes(this.redirectUrl) === false ? undefined : known;
  }

  async saveClientInformation(client: Parameters<Credentials['saveClient']>[0]): Promise<void> {
    if (this.#oauth.clientId === undefined) await this.#credentials.saveClient(client);
  }

  tokens() {
    return this.#credentials.tokens();
  }

  saveTokens(tokens: Parameters<Credentials['saveTokens']>[0]): Promise<void> {
    return this.#credentials.saveTokens(tokens);
  }

  redirectToAuthorization(url: URL): void {
    this.address = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.#credentials.verifier = verifier;
  }

  codeVerifier(): string {
    const { verifier } = this.#credentials;
    if (verifier === undefined) throw new Error(t('no sign-in is going on'));
    return verifier;
  }

  saveDiscoveryState(state: Credentials['discovery'] & object): void {
    this.#credentials.discovery = state;
  }

  discoveryState() {
    return this.#credentials.discovery;
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    if (scope === 'verifier' || scope === 'all') this.#credentials.verifier = undefined;
    if (scope === 'discovery' || scope === 'all') this.#credentials.discovery = undefined;
    if (scope === 'all' || scope === 'client' || scope === 'tokens') await this.#credentials.forget(scope);
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
