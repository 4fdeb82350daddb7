import { APICallError, JSONParseError, TypeValidationError } from '@ai-sdk/provider';
import { t } from '#base/l10n';
import type { ModelProblem } from './model';
import { describe, type Endpoint, type Failure, rootMessage } from './problem';
import { retryAfterMs } from './retry-after';

/** Whatever a provider package throws, or streams as an error, as a problem for people. `begun`: a part of the reply was well. */
export function problemOf(error: unknown, endpoint: Endpoint, begun = false): ModelProblem {
  // Half an event: the connection closed in the middle of it.
  if (begun && JSONParseError.isInstance(error)) return brokenOff(endpoint);
  if (/ended without a finish reason/.test(rootMessage(error))) return brokenOff(endpoint);
  if (isNoReply(error)) return notItsApi(endpoint);
  return describe(APICallError.isInstance(error) ? answerOf(error) : streamFailure(error), endpoint);
}

/** The connection closed without the provider's word that the reply is whole: nothing of it may run. */
export function brokenOff({ providerName }: Endpoint): ModelProblem {
  return {
    kind: 'network',
    message: t('The reply of {0} broke off before its end; nothing of it was run. Try again.', providerName),
  };
}

function isNoReply(error: unknown): boolean {
  const isOdd = TypeValidationError.isInstance(error) || JSONParseError.isInstance(error);
  return isOdd || /^Expected a normalized \w+ stream error/.test(rootMessage(error));
}

/** What came is no reply of this API: the package's own words are about types, not for people. */
function notItsApi({ providerName }: Endpoint): ModelProblem {
  return {
    kind: 'provider',
    message: t(
      '{0} answered with something that is no reply. Check its address and which API it speaks.',
      providerName,
    ),
  };
}

function answerOf(error: APICallError): Failure {
  // With a good status it was the body that could not be read.
  if (error.statusCode === undefined || error.statusCode < 400) return thrown(error);
  const retryAfter = retryAfterMs(error.responseHeaders, error.responseBody);
  return {
    status: error.statusCode,
    text: error.message,
    details: error.responseBody ?? '',
    ...(retryAfter === undefined ? {} : { retryAfterMs: retryAfter }),
  };
}

/** An error event inside a stream that began with HTTP 200: an object of the provider's, in no fixed shape. */
function streamFailure(error: unknown): Failure {
  if (error instanceof Error) return thrown(error);
  if (error === null || typeof error !== 'object') return { text: String(error), answered: true };
  const fields: { message?: unknown; statusCode?: unknown; code?: unknown; type?: unknown } = error;
  const status = [fields.statusCode, fields.code].map(Number).find((code) => code >= 400 && code < 600);
  return {
    text: typeof fields.message === 'string' ? fields.message : JSON.stringify(error),
    details: JSON.stringify(error),
    answered: true,
    ...(status === undefined ? {} : { status }),
  };
}

function thrown(error: Error): Failure {
  return { text: rootMessage(error), answered: !isNetworkError(error) };
}

/** Node's and undici's marks of a connection that couldn't be made or was lost. */
function isNetworkError(error: unknown): boolean {
  let inner: unknown = error;
  for (let depth = 0; depth < 6 && inner instanceof Error; depth++) {
    const { code } = inner as Error & { code?: unknown };
    if (typeof code === 'string' && /^(E[A-Z_]+|UND_ERR_\w+)$/.test(code)) return true;
    if (inner instanceof TypeError && /^(fetch failed|terminated|network error)$/i.test(inner.message))
      return true;
    if (/^Cannot connect to API/.test(inner.message)) return true;
    inner = inner.cause;
  }
  return false;
}
