import { expect, onTestFinished, test } from 'vitest';
import { startSignInServer } from '#test/support/mcp/sign-in-server';
import { openMcpView } from '#test/ui/support/mcp-view';
import { openBelay } from '#test/ui/support/open-belay';

test('a server that wants a sign-in waits in the view; the click shows the whole address, the browser comes back, and the server is ready', async () => {
  const server = await startSignInServer();
  onTestFinished(() => server.close());
  const servers = { tickets: { url: server.url } };
  const belay = await openBelay({
    files: { 'a.txt': 'a\n' },
    machineSettings: { 'belay.mcp.servers': servers },
  });
  const { workbench } = belay;
  const { page } = workbench;
  const view = await openMcpView(workbench);
  await view.row(/tickets.*wants you to sign in/).waitFor();
  expect([await page.locator('.quick-input-widget').isVisible(), server.seen]).toEqual([false, []]);

  await view.inline('tickets', 'Sign In…');
  await page
    .locator('.quick-input-title', { hasText: 'The MCP server tickets wants to open a page' })
    .waitFor();
  await page.locator('.quick-input-list .monaco-list-row', { hasText: /^sign-in\.localhost:\d+$/ }).waitFor();
  const opened = page.context().waitForEvent('page');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Open in Browser' }).click();
  const browser = await opened;
  await browser.getByText('You can close this page now.').waitFor();
  await view.row(/tickets.*1 tool/).waitFor();
  expect(server.seen.slice(0, 2)).toEqual(['authorize', 'token true']);
});
