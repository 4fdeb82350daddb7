import type { FoundServer } from '#addons/mcp/config/server';
import type { SignInAgent } from '#addons/mcp/connection/sign-in-agent';
import type { Offer, Offers } from '#addons/mcp/tools/offer';
import type { JudgedTools } from '#addons/mcp/trust/tool-trust';
import { canonicalJson } from '#base/hash';
import { t } from '#base/l10n';
import { revealInvisible, truncate } from '#base/text';
import type { McpServerRow, McpState } from '#protocol/mcp';
import type { ServerLife } from './server-life';
import type { ServerLog } from './server-log';

/** Why a server doesn't even begin to live. */
export type Hindrance = Extract<McpState, 'unasked' | 'rejected' | 'untrusted' | 'forbidden' | 'off'>;

/** One server that is written down, and what became of it here. */
export interface ManagedServer {
  /** As it is written down now; nothing but its place changes in its life. */
  found: FoundServer;
  readonly life: ServerLife;
  readonly log: ServerLog;
  readonly offers: Offers;
  /** Its tools as they are now. */
  offer: Offer;
  /** What the person accepted of its tools; undefined before it has listed any. */
  judged: JudgedTools | undefined;
  /** Undefined: nothing hinders it. */
  hindrance: Hindrance | undefined;
  /** Who knows its tokens; undefined before its first start, and where there is nothing to sign in to. */
  agent: SignInAgent | undefined;
  /** The person stopped it: it stays so until they start it, or what is written down changes. */
  isHeld: boolean;
  /** The person wants to be asked again about what they said no to. */
  isReconsidered: boolean;
}

/** What of an entry makes it another server: where it stands in its file doesn't. */
export function contentKey({ config, envFile }: FoundServer): string {
  const { transport, timeoutMs, inputs, place } = config;
  return canonicalJson({ transport, timeoutMs, inputs, place: place.kind, envFile });
}

/** As the view shows it. */
export function rowOf({ found: { config }, life, hindrance, offer }: ManagedServer): McpServerRow {
  const isLive = hindrance === undefined;
  const { prompts, resources, templates } = life.inventory;
  return {
    name: config.name,
    place: config.place,
    target: targetOf(config),
    state: hindrance ?? life.state,
    detail: isLive ? life.detail : hindranceWords(hindrance),
    tools: isLive ? offer.rows : [],
    prompts: isLive ? prompts.length : 0,
    resources: isLive ? resources.length + templates.length : 0,
  };
}

const MOST_TARGET = 300;

function targetOf({ transport }: FoundServer['config']): string {
  const words = transport.kind === 'http' ? [transport.url] : [transport.command, ...transport.args];
  const line = words
    .map((word) => (/[\s"']/.test(word) || word === '' ? JSON.stringify(word) : word))
    .join(' ');
  return truncate(revealInvisible(line), MOST_TARGET);
}

function hindranceWords(hindrance: Hindrance): string {
  switch (hindrance) {
    case 'unasked':
      return t('It starts when you have accepted exactly what is written down.');
    case 'rejected':
      return t('You said no to it. It is asked about again when what is written down changes.');
    case 'untrusted':
      return t('This folder isn’t trusted, so nothing of it starts.');
    case 'forbidden':
      return t('The policy of this machine forbids it.');
    case 'off':
      return t('It is switched off.');
  }
}
