import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { sha256 } from '#base/hash';
import type { Vault } from '#host/sign-in';

const keptSchema = z.object({
  tokens: z
    .looseObject({ access_token: z.string(), token_type: z.string(), refresh_token: z.string().optional() })
    .optional()
    .catch(undefined),
  client: z
    .looseObject({ client_id: z.string(), redirect_uris: z.array(z.string()).optional() })
    .optional()
    .catch(undefined),
});
type Kept = z.output<typeof keptSchema>;

/** What one server was granted and how Belay is registered for it, in the person's vault, by the server's address. */
export class Credentials {
  readonly #vault: Vault;
  readonly #name: string;
  #kept: Kept | undefined;
  /** Of a sign-in that is going on; it ends with this window. */
  verifier: string | undefined;
  discovery: OAuthDiscoveryState | undefined;

  /** `client`: an id that the person wrote down, whose tokens are others than those of a registration. */
  constructor(vault: Vault, server: URL, client: string) {
    this.#vault = vault;
    this.#name = `mcp.oauth.${sha256(`${server.href}\0${client}`).slice(0, 32)}`;
  }

  async tokens(): Promise<StoredOAuthTokens | undefined> {
    return (await this.#read()).tokens as StoredOAuthTokens | undefined;
  }

  async client(): Promise<StoredOAuthClientInformation | undefined> {
    return (await this.#read()).client as StoredOAuthClientInformation | undefined;
  }

  /** As they are kept now: another window may have got new ones since. */
  async freshTokens(): Promise<StoredOAuthTokens | undefined> {
    this.#kept = undefined;
    return this.tokens();
  }

  saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    return this.#write({ tokens });
  }

  saveClient(client: StoredOAuthClientInformation): Promise<void> {
    return this.#write({ client });
  }

  async forget(what: 'all' | 'client' | 'tokens'): Promise<void> {
    if (what !== 'all') return this.#write(what === 'client' ? { client: undefined } : { tokens: undefined });
    this.#kept = {};
    await this.#vault.delete(this.#name);
  }

  async #read(): Promise<Kept> {
    this.#kept ??= parsed(await this.#vault.get(this.#name));
    return this.#kept;
  }

  async #write(change: { readonly tokens?: unknown; readonly client?: unknown }): Promise<void> {
    this.#kept = keptSchema.parse({ ...(await this.#read()), ...change });
    await this.#vault.set(this.#name, JSON.stringify(this.#kept));
  }
}

/** What can't be read is as good as nothing: the person signs in again. */
function parsed(text: string | undefined): Kept {
  if (text === undefined) return {};
  try {
    const read = keptSchema.safeParse(JSON.parse(text));
    return read.success ? read.data : {};
  } catch {
    return {};
  }
}
