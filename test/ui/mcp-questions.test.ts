import { expect, test } from 'vitest';
import { bundled } from '#test/support/mcp/bundled';
import { officialServer } from '#test/support/mcp/peers';
import { quickInput } from '#test/support/real-vscode/quick-input';
import { openMcpView } from '#test/ui/support/mcp-view';
import { openBelay } from '#test/ui/support/open-belay';

const ASKS = 'The MCP server tickets asks for: team';
const server = (script: string, ...args: string[]) => ({
  command: process.execPath,
  args: [script, ...args],
});

test('a value that a server needs is asked quietly, its box opens on a click, and what was typed is not asked again', async () => {
  const files = { 'everything.mjs': await bundled(officialServer('everything')), 'a.txt': 'a\n' };
  const servers = { tickets: server('everything.mjs', '${input:team}') };
  const belay = await openBelay({ files, machineSettings: { 'belay.mcp.servers': servers } });
  const { workbench } = belay;
  const { page } = workbench;
  const view = await openMcpView(workbench);

  await workbench.told(ASKS);
  await view.row(ASKS).waitFor();
  expect(await quickInput(page).isVisible()).toBe(false);
  await page.locator('.activitybar .badge', { hasText: '1' }).waitFor();
  // Closed without an answer it is still asked, in the view.
  await workbench.runCommand('Notifications: Clear All Notifications');
  await view.row(ASKS).click();
  await page.locator('.quick-input-title', { hasText: 'The MCP server tickets asks' }).waitFor();
  await quickInput(page).fill('stdio');
  await page.keyboard.press('Enter');
  await view.row(/tickets.*tools/).waitFor();
  expect(await view.row(ASKS).count()).toBe(0);

  await view.inline('tickets', 'Restart');
  await view.inline('tickets', 'Show Log');
  await page.locator('.view-line', { hasText: 'Belay: started' }).nth(1).waitFor();
  await view.row(/tickets.*tools/).waitFor();
  expect(await view.row(ASKS).count()).toBe(0);
});

test('what of the files can’t be used leads to its line; a server that ends is told once and its log says why', async () => {
  const files = {
    'ends.mjs': 'console.error("no database $(check) [x](command:y)"); process.exit(3);\n',
    '.mcp.json': '{\n  "mcpServers": {\n    "broken": {}\n  }\n}\n',
  };
  const servers = { ends: server('ends.mjs') };
  const belay = await openBelay({ files, machineSettings: { 'belay.mcp.servers': servers } });
  const { workbench } = belay;
  const { page } = workbench;
  const view = await openMcpView(workbench);

  await workbench.answer(
    'The MCP server ends ended and is started again: It ended with exit code 3.',
    'Show Log',
  );
  await page.locator('.tab.active', { hasText: 'ends.log' }).waitFor();
  await page.locator('.view-line', { hasText: 'no database $(check) [x](command:y)' }).first().waitFor();

  await view.row('.mcp.json:3').click();
  await page.locator('.tab.active', { hasText: '.mcp.json' }).waitFor();
  await page.locator('.statusbar', { hasText: 'Ln 3, Col 1' }).waitFor();
  expect(await page.locator('.notification-toast', { hasText: 'ends' }).count()).toBe(0);
});

test('without a server the view says where servers are written down and leads to the page about them', async () => {
  const belay = await openBelay({ files: { 'a.txt': 'a\n' } });
  const { workbench } = belay;
  const { page } = workbench;
  const { pane } = await openMcpView(workbench);
  await pane.locator('.welcome-view-content', { hasText: '.mcp.json' }).waitFor();
  await pane.getByText('Read More').click();
  await page.locator('.tab.active', { hasText: 'mcp.md' }).waitFor();
  await workbench.webview().getByRole('heading', { name: 'Where servers are written down' }).waitFor();
});
