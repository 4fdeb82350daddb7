import type { FoundServer } from '#addons/mcp/config/server';
import { sha256 } from '#base/hash';
import { t } from '#base/l10n';
import type { AbsolutePath, Sha256 } from '#protocol/ids';
import type { McpQuestion } from '#protocol/mcp';
import type { AcceptancesTable } from '#store/acceptances';
import { contentOf, contentText, serverContent } from './content';
import { shown } from './shown';
import { warnings } from './warnings';

/** What a person's word is kept in, and where it holds. */
export interface TrustPorts {
  readonly acceptances: AcceptancesTable;
  /** The folder's real path: a word given in one folder says nothing about another. */
  readonly folder: AbsolutePath;
  /** The tools of the person's own servers are the same in every folder, so they are kept under the home. */
  readonly home: AbsolutePath;
  now(): number;
}

export type ServerVerdict = 'accepted' | 'rejected' | 'unasked';

/**
 * Whether a server may be started. The person's own may: they wrote it. A project's may when the person accepted exactly its command,
 * arguments, environment, address and so on in this folder; another content is another server, whatever its name.
 */
export function serverVerdict(found: FoundServer, ports: TrustPorts): ServerVerdict {
  if (found.config.place.kind === 'user') return 'accepted';
  const said = ports.acceptances.verdict(keyOf(found, ports));
  return said === 'accepted' || said === 'rejected' ? said : 'unasked';
}

/** What the person is asked about a project's server; also to change their mind. Undefined for their own. */
export function serverQuestion(found: FoundServer, ports: TrustPorts): McpQuestion | undefined {
  const { name, place } = found.config;
  if (place.kind === 'user') return undefined;
  const { folder, set, sha256: sum } = keyOf(found, ports);
  const text = contentText(contentOf(found));
  const last = ports.acceptances.lastAccepted(folder, set);
  return {
    server: name,
    about: 'server',
    sha256: sum,
    before: last === undefined || last === text ? undefined : shownContent(last),
    after: shownContent(text),
  };
}

/**
 * Keeps the person's word on exactly what the question showed; false when the server is another by now, and then nothing is kept. Of
 * two windows that answer differently the later counts. `found`: as it is written down now, so look again before.
 */
export function answerServer(
  found: FoundServer,
  { question, accepted }: { readonly question: McpQuestion; readonly accepted: boolean },
  ports: TrustPorts,
): boolean {
  const now = serverQuestion(found, ports);
  if (now === undefined || now.server !== question.server || now.sha256 !== question.sha256) return false;
  const content = contentText(contentOf(found));
  ports.acceptances.record(keyOf(found, ports), accepted ? 'accepted' : 'rejected', {
    content,
    at: ports.now(),
  });
  return true;
}

function keyOf(found: FoundServer, { folder }: TrustPorts) {
  const sum = sha256(contentText(contentOf(found))) as Sha256;
  return { folder, set: `mcp:${found.config.name}`, sha256: sum };
}

/** What is worth a second look comes first; it is made anew each time, so it follows the person's language. */
function shownContent(text: string): string {
  const content = serverContent.safeParse(JSON.parse(text));
  if (!content.success) return shown(text);
  const notes = warnings(content.data);
  return shown({ ...(notes.length > 0 ? { [t('look at this first')]: notes } : {}), ...content.data });
}
