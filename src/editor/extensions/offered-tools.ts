import * as vscode from 'vscode';
import { t } from '#base/l10n';
import { revealInvisible, truncate } from '#base/text';
import type { Core, CoreState } from '#editor/core';
import { fieldsOf } from './fields-of';

/** The tools that package.json contributes to the editor, and ours behind them. */
const OFFERED = {
  belay_read_file: { tool: 'read_file', words: (of: string) => t('Reading {0}', of), subject: 'path' },
  belay_search_files: {
    tool: 'search_files',
    words: (of: string) => t('Searching for {0}', of),
    subject: 'pattern',
  },
  belay_glob_files: {
    tool: 'glob_files',
    words: (of: string) => t('Looking for {0}', of),
    subject: 'pattern',
  },
} as const;

const LONGEST = 100;

/**
 * Offers reading and searching to the editor's other models. Registering costs nothing; the core is built when the first of them calls, and
 * walks its gates without a session: what rules deny, `.belayignore` hides or would be asked about is refused.
 */
export function offerTools(core: Pick<Core, 'start'>): vscode.Disposable {
  const registered = Object.entries(OFFERED).map(([name, { tool, words, subject }]) =>
    vscode.lm.registerTool<Readonly<Record<string, unknown>>>(name, {
      prepareInvocation: ({ input }) => ({ invocationMessage: words(shown(input, subject)) }),
      invoke: async ({ input }, token) => resultOf(await read(core, { tool, input }, token)),
    }),
  );
  return vscode.Disposable.from(...registered);
}

async function read(
  core: Pick<Core, 'start'>,
  call: { readonly tool: string; readonly input: unknown },
  token: vscode.CancellationToken,
): Promise<string> {
  const state = await core.start();
  if (state.kind !== 'ready') throw new Error(`${call.tool}: ${why(state)}`);
  const stop = new AbortController();
  if (token.isCancellationRequested) stop.abort();
  const listening = token.onCancellationRequested(() => stop.abort());
  try {
    const answer = await state.app.readForOthers(call, stop.signal);
    if (answer.ok) return answer.value;
    throw new Error(answer.error);
  } finally {
    listening.dispose();
  }
}

function why(state: Exclude<CoreState, { kind: 'ready' }>): string {
  switch (state.kind) {
    case 'no-folder':
      return 'no folder is open.';
    case 'choose':
      return 'the person has not chosen the folder that Belay works in.';
    case 'failed':
      return `Belay could not start: ${state.detail}`;
  }
}

function resultOf(text: string): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}

/** The editor renders these words: what another's model wrote is in a code span, in one line. */
function shown(input: unknown, field: string): string {
  const value = fieldsOf(input)[field];
  const text =
    typeof value === 'string' ? truncate(revealInvisible(value.replace(/[\s`]+/g, ' ')), LONGEST) : '…';
  return `\`${text}\``;
}
