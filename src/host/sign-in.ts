/** Where a browser comes back to after the person signed in somewhere. */
export interface SignIn {
  /** The address to register as redirect; the editor hands what arrives there to this extension. */
  redirectUrl(): Promise<string>;
  /** The query of the visit whose `state` is this one. Rejects when the signal aborts. */
  comeBack(state: string, signal: AbortSignal): Promise<URLSearchParams>;
}

/** Secrets that Belay keeps for what it talks to: tokens of servers, values that were typed for them. Redacted wherever they would show. */
export interface Vault {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
}
