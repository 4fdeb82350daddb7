import { expect } from 'vitest';
import type { PanelState } from '#protocol/panel-state';
import type { ToPanel } from '#protocol/wire';
import { folded, log, started } from '#test/unit/protocol/session-log';
import type { PanelPage } from './harness';
import { ended } from './parser-turn';
import { snapshot } from './state-parts';

/** A session that knows two prompts, under any id. */
export function session(id: string, state: Partial<PanelState> = {}): ToPanel {
  const transcript = folded(
    log(started(1, 'first prompt'), ended('done'), started(2, 'second prompt'), {
      ...ended('done'),
      turnId: 't2',
    } as never),
  );
  return snapshot({ ...transcript, sessionId: id as never }, { sessionId: id, ...state });
}

/** What stands in the composer. */
export const text = (panel: PanelPage) => panel.part('composer').inputValue();

/** The messages that were sent. */
export const sent = async (panel: PanelPage) =>
  (await panel.posted()).filter((message) => message.type === 'send');

/** Something that a server offers. */
export const RESOURCE = {
  uri: 'mcp:db:schema://users',
  name: 'schema of users',
  owner: 'the MCP server db',
  description: 'Columns and keys',
};

/** Answers the last question as others would, later than the files. */
export async function offer(panel: PanelPage, resources = [RESOURCE]): Promise<void> {
  const asked = (await panel.posted()).findLast((message) => message.type === 'find-files');
  await panel.tell({ type: 'resources-found', requestId: asked?.requestId ?? 0, resources });
}

/** Types an `@` with something after it, and answers as the extension would. */
export async function mention(panel: PanelPage, typed: string): Promise<void> {
  await panel.part('composer').pressSequentially(typed);
  const last = async () => (await panel.posted()).findLast((message) => message.type === 'find-files');
  await expect.poll(async () => (await last())?.query).toBe(typed.slice(1));
  const files = [
    { path: 'src/parser.ts', positions: [4, 5, 6] },
    { path: 'test/parser.test.ts', positions: [5, 6, 7] },
  ];
  await panel.tell({ type: 'files-found', requestId: (await last())?.requestId ?? 0, files });
  await panel.part('mention-list').waitFor();
}
