import { t } from '#base/l10n';
import { messageOf } from '#base/result';
import { truncate } from '#base/text';
import type { ModelProblem } from './model';
import { windowInWords } from './windows';

/** Whom the words of a problem are about. */
export interface Endpoint {
  readonly providerName: string;
  /** Shown when nothing answers. */
  readonly baseUrl?: string;
  /** Where Belay runs and calls from, when the endpoint is local: "this machine", "the SSH host dev". */
  readonly machine?: string | undefined;
  /** The key in use: never part of a message, even if the provider echoes it. */
  readonly key?: string | undefined;
}

/** What is known of a failed request, whatever threw it. */
export interface Failure {
  readonly status?: number;
  /** The provider's own words. */
  readonly text: string;
  /** Its words for machines: body, error code, type. */
  readonly details?: string;
  readonly retryAfterMs?: number;
  /** The endpoint did answer, though without a status of failure. */
  readonly answered?: boolean;
}

/** A problem in words for people: what happened, then what to do. */
export function describe(failure: Failure, endpoint: Endpoint): ModelProblem {
  const kind = kindOf(failure);
  const message = clean(sentence(kind, failure, endpoint), endpoint.key);
  const window = kind === 'overflow' ? windowInWords(`${failure.text}\n${failure.details ?? ''}`) : undefined;
  return {
    kind,
    message,
    ...(window === undefined ? {} : { window }),
    ...(failure.status === undefined ? {} : { status: failure.status }),
    ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
  };
}

/** The provider can't be reached at all. */
export function unreachable(error: unknown, endpoint: Endpoint): ModelProblem {
  return describe({ text: rootMessage(error) }, endpoint);
}

/** There is no key to send. */
export function missingKey(providerName: string): ModelProblem {
  return {
    kind: 'auth',
    message: t('There is no key for {0} yet. Run “Belay: Set Provider Key” and enter one.', providerName),
  };
}

/** Trying the same request again later may help. */
export function isPassing(problem: ModelProblem): boolean {
  switch (problem.kind) {
    case 'rate':
    case 'overloaded':
    case 'network':
      return true;
    case 'provider':
      return (problem.status ?? 0) >= 500;
    default:
      return false;
  }
}

const OVERFLOW =
  /context[_ ]length|context window|maximum context|prompt is too long|too many tokens|input token count|exceeds? the (?:model's )?(?:maximum|available) (?:context|number of tokens)|request_too_large/i;
const QUOTA =
  /insufficient_quota|credit balance|billing|payment required|out of credits|exceeded your current quota/i;
const OVERLOADED = /overloaded/i;

function kindOf({ status, text, details = '', answered }: Failure): ModelProblem['kind'] {
  const words = `${text}\n${details}`;
  if (status === undefined && OVERLOADED.test(words)) return 'overloaded';
  if (status === undefined) return OVERFLOW.test(words) ? 'overflow' : answered ? 'provider' : 'network';
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'quota';
  if (status === 413) return 'overflow';
  // Google's per-minute limits say "exceeded your current quota" too, with a delay after which they are lifted.
  if (status === 429) return QUOTA.test(words) && !/retryDelay/.test(details) ? 'quota' : 'rate';
  if (status === 400 && QUOTA.test(words)) return 'quota';
  if (status < 500 && OVERFLOW.test(words)) return 'overflow';
  if (status === 503 || status === 529 || OVERLOADED.test(words)) return 'overloaded';
  return 'provider';
}

function sentence(kind: ModelProblem['kind'], failure: Failure, endpoint: Endpoint): string {
  const { providerName } = endpoint;
  const said = truncate(failure.text.trim().replace(/\s+/g, ' '), 300) || t('no reason given');
  switch (kind) {
    case 'auth':
      return t(
        '{0} refused the key: {1} Run “Belay: Set Provider Key” and enter a valid one.',
        providerName,
        dot(said),
      );
    case 'quota':
      return t(
        '{0} says that the account has no credit left: {1} Check its plan or choose another model.',
        providerName,
        dot(said),
      );
    case 'rate':
      return t('{0} gets too many requests: {1} Wait a little and try again.', providerName, dot(said));
    case 'overloaded':
      return t('{0} is overloaded: {1} Try again in a minute.', providerName, dot(said));
    case 'overflow':
      return t(
        'The conversation is too long for this model: {0} Start a new session or choose a model with a larger window.',
        dot(said),
      );
    case 'network':
      return networkSentence(said, endpoint);
    case 'provider':
      return t(
        '{0} answered with an error{1}: {2}',
        providerName,
        failure.status === undefined ? '' : ` (${failure.status})`,
        dot(said),
      );
  }
}

function networkSentence(said: string, { providerName, baseUrl, machine }: Endpoint): string {
  if (baseUrl && isLocal(baseUrl)) {
    return t(
      '{0} doesn’t answer at {1}: {2} Is it running on {3}?',
      providerName,
      baseUrl,
      dot(said),
      machine ?? t('this machine'),
    );
  }
  return t('The connection to {0} failed: {1} Check the network and try again.', providerName, dot(said));
}

/** True for addresses that mean the machine Belay itself runs on. */
export function isLocal(url: string): boolean {
  try {
    const { hostname } = new URL(url);
    return (
      hostname === 'localhost' ||
      hostname === '[::1]' ||
      /^127\./.test(hostname) ||
      hostname.endsWith('.localhost')
    );
  } catch {
    return false;
  }
}

/** The innermost reason: `fetch failed` alone says nothing. */
export function rootMessage(error: unknown): string {
  let inner = error;
  for (let depth = 0; depth < 5 && inner instanceof Error && inner.cause instanceof Error; depth++)
    inner = inner.cause;
  // A host with several addresses fails with one error for each.
  if (inner instanceof AggregateError && inner.errors[0] instanceof Error) inner = inner.errors[0];
  return messageOf(inner);
}

function dot(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function clean(text: string, key: string | undefined): string {
  return key && key.length >= 8 ? text.replaceAll(key, '•••') : text;
}
