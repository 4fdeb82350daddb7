import type { AuthProvider } from '@modelcontextprotocol/client';
import type { Result } from '#base/result';

/** Knows the tokens of one server: gives them to its transport and gets them, when the person says so. */
export interface SignInAgent {
  /** What a transport asks for each request. It refreshes a token that has run out; it never opens a browser. */
  readonly provider: AuthProvider;
  /** Leads the person through signing in; fails in words for people. */
  signIn(signal: AbortSignal): Promise<Result<void, string>>;
  signOut(): Promise<void>;
}
