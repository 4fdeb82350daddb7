import * as vscode from 'vscode';
import { t } from '#base/l10n';
import { revealInvisible, truncate } from '#base/text';
import type { Core, CoreState } from '#editor/core';
import { fieldsOf } from './fields-of';

/** A call of another's model: one of our tools, and its arguments as they came. */
export interface OfferedCall {
  readonly tool: 'read_file' | 'search_files' | 'glob_files';
  readonly input: unknown;
}

const LONGEST = 100;

/** What the editor shows while it runs. */
export function callWords({ tool, input }: OfferedCall): string {
  switch (tool) {
    case 'read_file':
      return t('Reading {0}', shown(input, 'path'));
    case 'search_files':
      return t('Searching for {0}', shown(input, 'pattern'));
    case 'glob_files':
      return t('Looking for {0}', shown(input, 'pattern'));
  }
}

/** Carries it out; rejects with words for the model. */
export async function callResult(
  core: Pick<Core, 'start'>,
  call: OfferedCall,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  return new vscode.LanguageModelToolResult([
    new vscode.LanguageModelTextPart(await read(core, call, token)),
  ]);
}

async function read(
  core: Pick<Core, 'start'>,
  call: OfferedCall,
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

/** The editor renders these words: what another's model wrote is in a code span, in one line. */
function shown(input: unknown, field: string): string {
  const value = fieldsOf(input)[field];
  const text =
    typeof value === 'string' ? truncate(revealInvisible(value.replace(/[\s`]+/g, ' ')), LONGEST) : '…';
  return `\`${text}\``;
}
