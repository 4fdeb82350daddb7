import { readTools } from '#addons/mcp/tools/server-tool';
import { answerServer, serverQuestion, type TrustPorts } from '#addons/mcp/trust/server-trust';
import { answerTools, judgeTools } from '#addons/mcp/trust/tool-trust';
import { t } from '#base/l10n';
import type { McpQuestion } from '#protocol/mcp';
import type { Settings } from '#protocol/settings';
import type { ManagedServer } from './managed-server';

/** What a server waits for the person's word on; undefined when it waits for none. */
export function questionOf(
  { found, hindrance, judged, isReconsidered }: ManagedServer,
  trust: TrustPorts,
): McpQuestion | undefined {
  if (hindrance === 'unasked' || (hindrance === 'rejected' && isReconsidered))
    return serverQuestion(found, trust);
  if (hindrance !== undefined || !judged || (judged.rejected && !isReconsidered)) return undefined;
  return judged.question;
}

/** Keeps it; false when what the question showed is another by now. */
export function keepWord(
  { found, life }: ManagedServer,
  word: { readonly question: McpQuestion; readonly accepted: boolean },
  trust: TrustPorts,
): boolean {
  if (word.question.about === 'server') return answerServer(found, word, trust);
  const { tools } = readTools(life.inventory.tools);
  return answerTools(found.config, { tools, ...word }, trust);
}

/** Offers a server's tools as they are now: as far as they are accepted, and switched on. */
export function offerAnew(server: ManagedServer, trust: TrustPorts, settings: Settings): void {
  const { found, life, offers } = server;
  const { name, timeoutMs } = found.config;
  const listed = life.inventory.tools;
  if (life.hasListed) server.judged = judgeTools(found.config, readTools(listed).tools, trust);
  const changed = server.judged?.changed ?? new Set<string>();
  const why = server.judged?.rejected
    ? t('You said no to what changed in it.')
    : t('It is not what you accepted: look at what changed.');
  server.offer = offers.offer(
    { server: name, timeoutMs, listed, settings, changed, ready: (signal) => life.ready(signal) },
    why,
  );
}
