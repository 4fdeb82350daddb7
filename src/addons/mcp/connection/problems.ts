import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import { revealInvisible, truncate } from '#base/text';
import type { CallProblem, ConnectProblem } from './connection';
import { OutOfPatience } from './patience';
import type { Challenge } from './sign-in-agent';

const MOST_WORDS = 500;

/** What a failed request came to. `reason` is why its signal aborted, if it did. */
export function callProblem(error: unknown, reason: unknown): CallProblem {
  if (reason instanceof OutOfPatience) return { kind: 'timed-out', words: reason.message };
  if (ProtocolError.isInstance(error)) return { kind: 'refused', words: outsideWords(error) };
  if (SdkHttpError.isInstance(error) && isUnknownSession(error))
    return { kind: 'unknown-session', words: t('the server doesn’t know this session any more') };
  if (needsSignIn(error)) return { kind: 'lost', words: t('it wants you to sign in') };
  if (SdkHttpError.isInstance(error))
    return {
      kind: 'refused',
      words: t('the server answered with HTTP {0}: {1}', error.status, outsideWords(error)),
    };
  if (SdkError.isInstance(error) && error.code === SdkErrorCode.InvalidResult)
    return { kind: 'refused', words: t('its answer can’t be read') };
  return { kind: 'lost', words: networkWords(error) };
}

/** By the protocol it is a 404; many servers say it with a 400. */
function isUnknownSession({ status, message }: SdkHttpError): boolean {
  return status === 404 || (status === 400 && /session/i.test(message));
}

/** Why no connection came about. */
export function connectProblem(error: unknown): ConnectProblem {
  if (SdkHttpError.isInstance(error) && (error.status === 401 || error.status === 403) && !needsSignIn(error))
    return {
      kind: 'hopeless',
      words: t('It refuses what it was given to be let in (HTTP {0}).', error.status),
    };
  if (needsSignIn(error)) return { kind: 'sign-in', words: t('It wants you to sign in.') };
  return { kind: 'failed', words: sentence(networkWords(error)) };
}

/** Whether the person has to sign in, or to sign in for more. */
export function needsSignIn(error: unknown): boolean {
  return (
    UnauthorizedError.isInstance(error) ||
    InsufficientScopeError.isInstance(error) ||
    (SdkError.isInstance(error) && error.code === SdkErrorCode.ClientHttpAuthentication)
  );
}

/** What it wants beyond what was granted. */
export function challengeOf(error: unknown): Challenge {
  if (!InsufficientScopeError.isInstance(error)) return {};
  return { scope: error.requiredScope, metadata: error.resourceMetadataUrl };
}

/** Whether a server has no such transport as the one it was tried with. */
export function isOtherTransport(error: unknown): boolean {
  return SdkHttpError.isInstance(error) && [400, 404, 405].includes(error.status);
}

/**
 * Whether the stream on which a server speaks by itself is over for good, or couldn't even be opened for want of a server: nothing else
 * tells that it is gone.
 */
export function isLastOfStream(error: unknown): boolean {
  const isUnreachable = error instanceof TypeError && error.message === 'fetch failed';
  return (
    isUnreachable ||
    SseError.isInstance(error) ||
    messageOf(error).startsWith('Maximum reconnection attempts')
  );
}

/** What a server says, on one line, bounded, with what is invisible revealed. */
export function outsideWords(error: unknown): string {
  return truncate(revealInvisible(messageOf(error)).replace(/\s+/g, ' '), MOST_WORDS);
}

/** The platform hides why behind "fetch failed". */
function networkWords(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
  return outsideWords(cause === '' ? error : `${messageOf(error)} (${cause})`);
}

/** A clause as a sentence of its own. */
export function sentence(clause: string): string {
  const text = clause.charAt(0).toUpperCase() + clause.slice(1);
  return /[.!?…。！？]$/.test(text) ? text : t('{0}.', text);
}
