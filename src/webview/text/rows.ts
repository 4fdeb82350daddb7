import type { ResultCode } from '#protocol/tool-result';
import type { AnsweredApproval } from '#protocol/transcript';
import type { CallItem, CallState } from '#protocol/turn';
import { duration, elapsed } from './durations';
import { visible } from './visible';
import { counted, t } from './words';

/** One call as a line: state, verb, subject, detail, cost. */
export interface RowText {
  readonly verb: string;
  readonly subject: string;
  /** A path may be shortened in its middle; a command stands in the editor's font. */
  readonly subjectKind: 'path' | 'command' | 'plain';
  readonly detail: string;
  readonly counts?: { readonly added: number; readonly removed: number };
  readonly cost: string;
  /** The cost says more than a number ("denied by you"): it stays at every width. */
  readonly costIsWords: boolean;
}

/** `shown` is the state as it can be true: nothing runs in a turn that ended. */
export function rowText(call: CallItem, shown: CallState, approval: AnsweredApproval | undefined): RowText {
  const words = outcomeWords(call, shown, approval);
  const cost = words ?? (call.ms === undefined ? '' : duration(call.ms));
  const counts = countsOf(call);
  return {
    verb: verbOf(call),
    subject: visible(subjectOf(call)),
    subjectKind: subjectKind(call),
    detail: visible(detailOf(call)),
    ...(counts ? { counts } : {}),
    cost,
    costIsWords: words !== undefined,
  };
}

/** What a screen reader hears before the verb; a call that went well says nothing. */
export function spokenState(state: CallState): string {
  switch (state) {
    case 'success':
      return '';
    case 'gating':
    case 'running':
      return t('Running: ');
    case 'waiting':
      return t('Waiting for you: ');
    case 'error':
      return t('Failed: ');
    case 'denied':
      return t('Denied: ');
    case 'cancelled':
      return t('Stopped: ');
    default:
      return t('Result unknown: ');
  }
}

/** A command that ran and exited with another code than 0 is a success to the model, and a failure to the eye. */
export function stateOf(call: CallItem, turnRuns: boolean): CallState {
  const open = call.state === 'gating' || call.state === 'waiting' || call.state === 'running';
  if (open && !turnRuns) return 'unknown';
  const failed =
    call.display?.kind === 'command' &&
    ((call.display.exitCode ?? 0) !== 0 || call.display.signal !== undefined);
  return call.state === 'success' && failed ? 'error' : call.state;
}

const VERBS: Readonly<Record<string, string>> = {
  read_file: 'Read',
  search_files: 'Search',
  glob_files: 'Find',
  edit_file: 'Edit',
  write_file: 'Create',
  rename_file: 'Rename',
  delete_file: 'Delete',
  run_command: 'Run',
  start_command: 'Start',
  list_commands: 'List',
  command_terminal_capabilities: 'Look at',
  command_status: 'Look at',
  command_output: 'Read',
  command_input: 'Type',
  resize_command_pty: 'Resize',
  cancel_command: 'End',
  todo_write: 'Plan',
  todo_list: 'Read',
  search_tools: 'Find',
  diagnostics: 'Look at',
  definition: 'Find',
  type_definition: 'Find',
  references: 'Find',
  implementation: 'Find',
  hover: 'Look up',
  document_symbols: 'Outline',
  workspace_symbols: 'Find',
  call_hierarchy: 'Find',
  rename_symbol: 'Rename',
  code_actions: 'List',
  apply_code_action: 'Apply',
  format: 'Format',
  read_artifact: 'Read',
};

function verbOf(call: CallItem): string {
  if (call.display?.kind === 'diff' && call.name === 'write_file' && call.display.operation === 'modify')
    return t('Overwrite');
  return t(VERBS[call.name] ?? 'Use');
}

function subjectOf(call: CallItem): string {
  if (!(call.name in VERBS)) return call.display?.title || call.summary || call.name;
  if (call.name === 'todo_write' || call.name === 'todo_list') return t('todos');
  const title = call.display?.title || withoutVerb(call);
  return call.name === 'search_files' && title !== '' && !/^["“/]/.test(title)
    ? `"${title}"`
    : title || call.name;
}

const VERB =
  /^(Read|Search|Find|List|Edit|Create|Write|Overwrite|Rename|Delete|Look at|Look up|Outline|Apply|Format)\s+/;

/** A summary says "Edit src/a.ts"; the row has its verb already. */
function withoutVerb(call: CallItem): string {
  if (call.name === 'run_command' || call.name === 'start_command') return call.summary;
  return call.summary.replace(VERB, '');
}

function subjectKind(call: CallItem): RowText['subjectKind'] {
  if (call.name === 'run_command' || call.display?.kind === 'command') return 'command';
  return call.name === 'read_file' ||
    call.name === 'edit_file' ||
    call.name === 'write_file' ||
    call.name === 'delete_file'
    ? 'path'
    : 'plain';
}

function countsOf(call: CallItem): RowText['counts'] {
  const display = call.display;
  if (display?.kind !== 'diff' || call.state !== 'success' || display.added + display.removed === 0)
    return undefined;
  return { added: display.added, removed: display.removed };
}

function detailOf(call: CallItem): string {
  if (call.state === 'error' && call.code) return CODES[call.code]?.() ?? '';
  const display = call.display;
  switch (display?.kind) {
    case 'search':
      return call.name === 'glob_files'
        ? counted(display.files, '{0} file', '{0} files')
        : t(
            '{0} in {1}',
            counted(display.hits, '{0} hit', '{0} hits'),
            counted(display.files, '{0} file', '{0} files'),
          );
    case 'command':
      if (display.signal) return display.signal;
      return display.exitCode === undefined ? '' : t('exit {0}', display.exitCode);
    case 'text':
    case 'artifact':
      return display.fields?.[0]?.value ?? '';
    default:
      return '';
  }
}

const CODES: Readonly<Partial<Record<ResultCode, () => string>>> = {
  unknown_tool: () => t('no such tool'),
  inactive_tool: () => t('not active'),
  duplicate_call: () => t('sent twice'),
  invalid_json: () => t('arguments are not JSON'),
  invalid_arguments: () => t('arguments do not fit'),
  rejected_arguments: () => t('not accepted'),
  timed_out: () => t('time limit'),
};

function outcomeWords(
  call: CallItem,
  shown: CallState,
  approval: AnsweredApproval | undefined,
): string | undefined {
  switch (shown) {
    case 'waiting':
      return t('waiting');
    case 'denied':
      return deniedWords(call, approval);
    case 'cancelled':
      if (call.startedAt === undefined) return t('did not run');
      return call.ms === undefined
        ? t('stopped')
        : t('stopped at {0}', call.ms < 1000 ? duration(call.ms) : elapsed(call.ms));
    case 'unknown':
      return t('result unknown');
    default:
      return undefined;
  }
}

function deniedWords(call: CallItem, approval: AnsweredApproval | undefined): string {
  if (call.code === 'forbidden') return t('never allowed');
  if (approval?.by === 'nobody' || approval?.by === 'cancelled') return t('not answered');
  if (approval?.answer?.answer.startsWith('deny')) return t('denied by you');
  const why = call.trace.find((line) => line.verdict === 'stop')?.why ?? '';
  if (/\brule\b/i.test(why)) return t('denied by rule');
  return /\bmode\b/i.test(why) ? t('denied by mode') : t('denied');
}
