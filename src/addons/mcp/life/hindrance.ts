import type { FoundServer } from '#addons/mcp/config/server';
import { serverVerdict, type TrustPorts } from '#addons/mcp/trust/server-trust';
import type { SettingsSource, Trust } from '#host';
import type { Hindrance } from './managed-server';

/** What may forbid a server to run. */
export interface HindrancePorts {
  readonly host: { readonly settings: SettingsSource; readonly trust: Trust };
  /** Whether the policy forbids a server of that name. */
  isForbidden(server: string): boolean;
}

/** What keeps a server from running; undefined when nothing does. */
export function hindranceOf(
  found: FoundServer,
  { host, isForbidden }: HindrancePorts,
  trust: TrustPorts,
): Hindrance | undefined {
  const { name, disabled } = found.config;
  if (isForbidden(name)) return 'forbidden';
  if (!host.trust.isTrusted()) return 'untrusted';
  if (disabled || host.settings.current().mcpDisabled.includes(name)) return 'off';
  const verdict = serverVerdict(found, trust);
  return verdict === 'accepted' ? undefined : verdict;
}
