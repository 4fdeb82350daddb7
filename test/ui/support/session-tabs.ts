import type { FrameLocator, Locator } from 'playwright-core';
import { type Panel, panelIn } from '#test/support/panel';
import type { Workbench } from '#test/support/real-vscode/workbench';

/** The kind of place that a webview stands in is part of its address; a tab's has none. */
const IN_VIEW = 'iframe.webview[src*="purpose=webviewView"]';
const IN_TAB = 'iframe.webview:not([src*="purpose="])';

/** The tab of the editor area that shows this session. */
export function tabOf({ page }: Workbench, title: string): Locator {
  return page.locator('.tabs-container .tab', { hasText: title });
}

/** The page of the session's tab that is in sight; only one may be. */
export function tabFrame({ page }: Workbench): FrameLocator {
  return page.frameLocator(`${IN_TAB}:visible`).frameLocator('iframe#active-frame');
}

/** The page of the panel while tabs show others. */
export function viewFrame({ page }: Workbench): FrameLocator {
  return page.frameLocator(IN_VIEW).frameLocator('iframe#active-frame');
}

/** Opens a session in a tab by the palette: the one of the panel or, where there are more, the one picked. */
export async function openInTab(workbench: Workbench, title?: string): Promise<Panel> {
  await workbench.runCommand('Belay: Open Session in an Editor Tab…');
  if (title !== undefined) await workbench.pick(title);
  return panelIn(tabFrame(workbench));
}
