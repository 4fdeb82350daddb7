import { randomBytes } from 'node:crypto';
import type { OAuthClientInformationContext, OAuthClientProvider } from '@modelcontextprotocol/client';
import type { ResolvedHttp } from '#addons/mcp/config/resolve';
import { t } from '#base/l10n';
import type { Credentials } from './credentials';

/** One walk through the SDK's OAuth: it never opens anything itself, it only notes where the person would have to go. */
export class Flow implements OAuthClientProvider {
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
