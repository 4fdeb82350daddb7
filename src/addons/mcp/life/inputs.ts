import type { FoundServer, InputConfig } from '#addons/mcp/config/server';
import { sha256 } from '#base/hash';
import { t } from '#base/l10n';
import type { Host } from '#host';
import { contentKey } from './managed-server';

/**
 * Asks the person for the values of a server's inputs. What was typed is kept under the hash of exactly what the server is: a changed
 * server, or another one of the same name, is never given it.
 */
export function inputValues(
  found: FoundServer,
  { questions, vault }: Pick<Host, 'questions' | 'vault'>,
  signal: AbortSignal,
): (input: InputConfig) => Promise<string | undefined> {
  const server = found.config.name;
  const own = sha256(`${server}\0${contentKey(found)}`).slice(0, 32);
  return async (input) => {
    const { id, description, secret, proposed, options } = input;
    const name = `mcp.input.${own}.${id}`;
    const kept = await vault?.get(name);
    if (kept !== undefined) return kept;
    const more = { ...(proposed === undefined ? {} : { proposed }), ...(options ? { options } : {}) };
    const question = {
      from: t('the MCP server {0}', server),
      description: description || id,
      secret,
      ...more,
    };
    // A person who is away must not keep the server from being stopped.
    const value = await Promise.race([questions?.value(question, signal), whenAborted(signal)]);
    if (value !== undefined) await vault?.set(name, value);
    return value;
  };
}

function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
