import { promptsOf } from '#addons/mcp/offered/prompts';
import { resourcesOf } from '#addons/mcp/offered/resources';
import type { Contribution } from '#agent/contribution';
import { messageOf } from '#base/result';
import type { Log, SettingsSource } from '#host';
import type { McpServers } from './servers';

/** The places where servers are written down are looked at this often while the agent works, in milliseconds. */
const LOOK_MS = 2000;

/** What the MCP servers of a folder bring to the agent. */
export function mcpContribution(
  servers: McpServers,
  { settings, log }: { readonly settings: SettingsSource; readonly log: Log },
): Contribution {
  let seen = keyOf(settings);
  let lookedAt = performance.now();
  return {
    name: 'MCP',
    tools: () => servers.living().flatMap(({ offer }) => offer.definitions),
    prompts: () => servers.living().flatMap(promptsOf),
    resources: resourcesOf(() => servers.living()),
    onDidChange: servers.onDidOffer,
    look() {
      const now = keyOf(settings);
      // What the person took back holds for this request already.
      servers.reoffer();
      if (now === seen && performance.now() - lookedAt < LOOK_MS) return;
      seen = now;
      lookedAt = performance.now();
      servers.refresh().catch((error: unknown) => log.error(`mcp: ${messageOf(error)}`));
    },
    dispose: () => servers.dispose(),
  };
}

function keyOf(settings: SettingsSource): string {
  const { mcpDisabled, mcpReadOnlyTools, mcpServers } = settings.current();
  return JSON.stringify([mcpDisabled, mcpReadOnlyTools, mcpServers]);
}
