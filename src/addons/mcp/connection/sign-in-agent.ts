import type { AuthProvider } from '@modelcontextprotocol/client';
import type { Result } from '#base/result';

/** What a server said of the sign-in that it wants. */
export interface Challenge {
  readonly scope?: string | undefined;
  readonly metadata?: URL | undefined;
}

/** Knows the tokens of one server: gives them to its transport, and gets them when the person says so. */
export interface SignInAgent {
  /** What a transport asks before each request. It refreshes a token that has run out; it never opens a browser. */
  readonly provider: AuthProvider;
  /** What a server wants beyond what was granted; counts for the next sign-in. */
  demand(challenge: Challenge): void;
  /** Leads the person through signing in; fails in words for people. */
  signIn(signal: AbortSignal): Promise<Result<void, string>>;
  signOut(): Promise<void>;
}
