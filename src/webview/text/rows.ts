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

const VERBS: Readonly<Record<string, () => string>> = {
  read_file: () => t('Read'),
  search_files: () => t('Search'),
  glob_files: () => t('Find'),
  edit_file: () => t('Edit'),
  write_file: () => t('Create'),
  rename_file: () => t('Rename'),
  delete_file: () => t('Delete'),
  run_command: () => t('Run'),
  start_command: () => t('Start'),
  list_commands: () => t('List'),
  command_terminal_capabilities: () => t('Look at'),
  command_status: () => t('Look at'),
  command_output: () => t('Read'),
  command_input: () => t('Type'),
  resize_command_pty: () => t('Resize'),
  cancel_command: () => t('End'),
  todo_write: () => t('Plan'),
  todo_list: () => t('Read'),
  search_tools: () => t('Find'),
  diagnostics: () => t('Look at'),
  definition: () => t('Find'),
  type_definition: () => t('Find'),
  references: () => t('Find'),
  implementation: () => t('Find'),
  hover: () => t('Look up'),
  document_symbols: () => t('Outline'),
  workspace_symbols: () => t('Find'),
  call_hierarchy: () => t('Find'),
  rename_symbol: () => t('Rename'),
  code_actions: () => t('List'),
  apply_code_action: () => t('Apply'),
  format: () => t('Format'),
  read_artifact: () => t('Read'),
};

function verbOf(call: CallItem): string {
  if (call.display?.kind === 'diff' && call.name === 'write_file' && call.display.operation === 'modify')
    return t('Overwrite');
  return Object.hasOwn(VERBS, call.name) ? (VERBS[call.name]?.() ?? t('Use')) : t('Use');
}

function subjectOf(call: CallItem): string {
  if (!Object.hasOwn(VERBS, call.name)) return call.display?.title || call.summary || call.name;
  if (call.name === 'todo_write' || call.name === 'todo_list') return t('todos');
  const title = call.display?.title || withoutVerb(call);
  return call.name === 'search_files' && title !== '' && !/^["“/]/.test(title)
    ? `"${title}"`
    : title || call.name;
}

/** With these a tool's summary may begin, as the host says it, beside the verbs of the rows. */
const OTHER_VERBS: readonly (() => string)[] = [() => t('Write'), () => t('Overwrite')];

/** A summary says "Edit src/a.ts"; the row has its verb already. Of verbs that begin alike the longest is meant. */
function withoutVerb({ name, summary }: CallItem): string {
  if (name === 'run_command' || name === 'start_command') return summary;
  const verbs = [...Object.values(VERBS), ...OTHER_VERBS].map((words) => words());
  const lengths = verbs.map((verb) => (beginsWith(summary, verb) ? verb.length : 0));
  return summary.slice(Math.max(...lengths)).trimStart();
}

/** "Findings" begins with no verb; other languages may leave no space. */
function beginsWith(summary: string, verb: string): boolean {
  return summary.startsWith(verb) && !/^\p{Script=Latin}/u.test(summary.slice(verb.length));
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
  const by = call.trace.find((line) => line.verdict === 'stop')?.by;
  if (by === 'rule') return t('denied by rule');
  return by === 'mode' ? t('denied by mode') : t('denied');
}
