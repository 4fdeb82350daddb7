import * as vscode from 'vscode';
import type { Core } from '#editor/core';

/** The tools that package.json contributes to the editor, and ours behind them. */
const OFFERED = {
  belay_read_file: 'read_file',
  belay_search_files: 'search_files',
  belay_glob_files: 'glob_files',
} as const;

/**
 * Offers reading and searching to the editor's other models. Registering costs nothing; the core is built when the first of them calls, and
 * walks its gates without a session: what rules deny, `.belayignore` hides or would be asked about is refused.
 */
export function offerTools(core: () => Promise<Pick<Core, 'start'>>): vscode.Disposable {
  const load = () => import('#editor/extensions/offered-call');
  const registered = Object.entries(OFFERED).map(([name, tool]) =>
    vscode.lm.registerTool(name, {
      prepareInvocation: async ({ input }) => ({
        invocationMessage: (await load()).callWords({ tool, input }),
      }),
      invoke: async ({ input }, token) => (await load()).callResult(await core(), { tool, input }, token),
    }),
  );
  return vscode.Disposable.from(...registered);
}
