import type { Locator } from 'playwright-core';
import type { Reply } from '#test/support/model-server/script';
import type { Panel } from '#test/support/panel';
import type { Workbench } from '#test/support/real-vscode/workbench';

/** A reply that creates note.txt. */
export const WRITE_NOTE: Reply = {
  calls: [{ id: 'write', name: 'write_file', input: { path: 'note.txt', content: 'kept\n' } }],
};

/** A reply that runs a command. */
export function runs(command: string, id = 'run', description = 'Does it'): Reply {
  return { calls: [{ id, name: 'run_command', input: { command, description } }] };
}

/** The notice with this title. */
export function card(panel: Panel, title: string): Locator {
  return panel.part('notice').filter({ hasText: title });
}

/** State of each tool's last call, as the rows show it. */
export async function callStates(panel: Panel): Promise<Record<string, string>> {
  const rows = await panel
    .part('call-row')
    .evaluateAll((all) =>
      all.map((row) => [row.getAttribute('data-call-name'), row.getAttribute('data-state')]),
    );
  return Object.fromEntries(rows);
}

/** The item of the status bar that says which sandbox is on. */
export function sandboxItem({ page }: Workbench, text: string | RegExp): Locator {
  return page.locator('.statusbar-item[id="belay.belay.belay.sandbox"]', { hasText: text });
}

/** Belay's item of the status bar, when it shows this text. */
export function statusBar({ page }: Workbench, text: string | RegExp): Locator {
  return page.locator('.statusbar-item[id="belay.belay.belay.status"]', { hasText: text });
}
