import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';
import { t } from '#base/l10n';
import { SerialQueue } from '#base/queue';
import { revealInvisible, truncate } from '#base/text';
import type { Questions } from '#host/questions';
import type { ConnectionPorts } from './connection';
import { formFields } from './form-fields';
import { isLoopback } from './http-fetch';

/** The SDK checks the answer's shape; what a server asks for is judged here. */
type Handler = (
  request: ElicitRequest,
  context: { readonly mcpReq: { readonly signal: AbortSignal } },
) => Promise<ElicitResult>;

/** Questions of one server that may wait at once; more of them are declined unseen. */
const MOST_WAITING = 3;
const MOST_WORDS = 2000;

/**
 * What a running server asks the person for: values of a form, or a visit to a page. One question at a time, and only as long as its
 * request waits. Undefined where nobody is there to be asked: then the server isn't told that it may ask.
 */
export function elicitation(
  { questions, server, log }: ConnectionPorts,
  unhurried: <T>(asking: () => Promise<T>) => Promise<T>,
): Handler | undefined {
  if (!questions) return undefined;
  const queue = new SerialQueue();
  const from = t('the MCP server {0}', server);
  let waiting = 0;
  return async ({ params }, { mcpReq: { signal } }) => {
    if (waiting >= MOST_WAITING) {
      log(t('Belay: declined a question, for {0} others wait already', waiting));
      return { action: 'decline' };
    }
    waiting += 1;
    try {
      return await unhurried(() => queue.run(() => ask(params, { questions, from, signal })));
    } catch {
      return { action: 'cancel' };
    } finally {
      waiting -= 1;
    }
  };
}

interface Asking {
  readonly questions: Questions;
  readonly from: string;
  readonly signal: AbortSignal;
}

async function ask(params: ElicitRequest['params'], asking: Asking): Promise<ElicitResult> {
  asking.signal.throwIfAborted();
  return params.mode === 'url' ? visit(params, asking) : form(params, asking);
}

async function visit(
  { url, message }: Extract<ElicitRequest['params'], { mode: 'url' }>,
  { questions, from, signal }: Asking,
): Promise<ElicitResult> {
  const address = URL.parse(url);
  if (!address || !isVisitable(address)) return { action: 'decline' };
  const agreed = await questions.visit({ from, url: address.href, why: shown(message) }, signal);
  return { action: agreed ? 'accept' : 'decline' };
}

async function form(
  { message, requestedSchema }: Exclude<ElicitRequest['params'], { mode: 'url' }>,
  { questions, from, signal }: Asking,
): Promise<ElicitResult> {
  const fields = formFields(requestedSchema);
  if (!fields) return { action: 'decline' };
  const answer = await questions.form({ from, message: shown(message), fields }, signal);
  if (answer.kind !== 'accepted') return { action: answer.kind === 'declined' ? 'decline' : 'cancel' };
  const content = Object.entries(answer.values).map(([name, value]) => [
    name,
    typeof value === 'object' ? [...value] : value,
  ]);
  return {
    action: 'accept',
    content: Object.fromEntries(content) as Record<string, string | number | boolean | string[]>,
  };
}

/** A browser is sent nowhere else: other schemes start other programs. */
export function isVisitable(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}

function shown(text: string): string {
  return truncate(revealInvisible(text), MOST_WORDS);
}
