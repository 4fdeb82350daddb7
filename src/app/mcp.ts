import { McpServers } from '#addons/mcp/servers';
import { isForbiddenServer } from '#gates/settings-files/forbids';
import type { SettingsLoader } from '#gates/settings-files/load';
import type { Host } from '#host';
import type { Place } from './core';

/** The MCP servers of the folder; none is looked for yet. */
export function mcpServers(host: Host, place: Place, settings: SettingsLoader): McpServers {
  const { root, store, redactor, hide } = place;
  return new McpServers({
    host,
    root,
    acceptances: store.acceptances,
    isForbidden: (server) => isForbiddenServer(server, settings.current()),
    redact: (text) => redactor.value(text),
    hide,
  });
}

/** Looks for them now and whenever the settings files change, in the background: nothing waits for a server. */
export function keepLooking(servers: McpServers, settings: SettingsLoader, { log }: Host): void {
  const look = () => void servers.refresh().catch((error: unknown) => log.error(`mcp: ${String(error)}`));
  settings.onDidChange(look);
  look();
}
