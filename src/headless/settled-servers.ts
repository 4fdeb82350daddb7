import type { App } from '#app';

/** A server that takes longer is told of by the run itself: its tools are missing. */
const PATIENCE_MS = 30_000;

/**
 * Waits until each MCP server runs or doesn't: a script's first request is to see the same tools on every machine. A person's editor
 * never waits so.
 */
export async function settledServers({ mcp }: Pick<App, 'mcp'>): Promise<void> {
  await mcp.refresh();
  const isStarting = () => mcp.servers().some(({ state }) => state === 'starting');
  if (!isStarting()) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const listening = mcp.onDidChange(() => {
    if (!isStarting()) resolve();
  });
  const patience = setTimeout(resolve, PATIENCE_MS);
  await promise;
  clearTimeout(patience);
  listening.dispose();
}
