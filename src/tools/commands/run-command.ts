import { z } from 'zod';
import { counted, t } from '#base/l10n';
import { count, truncate } from '#base/text';
import type { CommandOutcome } from '#commands/command';
import type { ArtifactId, RelativePath } from '#protocol/ids';
import type { ArtifactReference, Display, DisplayField, ToolResult } from '#protocol/tool-result';
import { refusalOf } from '#tools/refusal';
import { demandAuthorization, type ToolContext, type ToolDefinition, type ToolPorts } from '#tools/tool';
import { checkedLine, lineTouches } from './command-line';
import { startBackground } from './start-command';

const NAME = 'run_command';
const LONGEST_MS = 600_000;
const CHANGES_NAMED = 10;

const inputSchema = z.strictObject({
  command: z.string().describe('A bash command line'),
  description: z.string().min(1).describe('What it does, in plain words; the user reads it'),
  background: z
    .boolean()
    .optional()
    .describe('Let it run beside the conversation, as start_command does; for servers and watchers'),
  timeoutMs: z.number().int().min(1).optional().describe('2 minutes when absent, at most 10'),
  cwd: z.string().optional().describe('Folder to run in; the workspace folder when absent'),
  network: z.boolean().optional().describe('Ask for the network; else there is none'),
});
type Input = z.infer<typeof inputSchema>;

/** Runs one command line to its end, confined as the gates decided. */
export const runCommand: ToolDefinition<Input> = {
  name: NAME,
  description:
    'Runs a command and returns its output (stdout and stderr) and exit code. No stdin, no pager, a fresh shell each time. Use read_file, search_files and edit_file for files instead of cat, grep and sed.',
  risk: 'execute',
  capabilities: ['process.execute', 'filesystem.read', 'filesystem.write'],
  concurrencySafe: false,
  inputSchema,
  origin: { kind: 'built-in' },
  validate: (input, ports) => refusalOf(() => plan(input, ports)),
  touches: (input, ports) => lineTouches(NAME, input, ports),
  summarize: (input) => input.command,
  async execute(input, context) {
    demandAuthorization(context, NAME);
    const { cwd, timeoutMs } = await plan(input, context);
    context.signal.throwIfAborted();
    if (input.background) return startBackground(NAME, { ...input, cwd, pty: false }, context);
    const onOutput = (chunk: string) => progress(chunk, context);
    const outcome = await context.commands.run({
      command: input.command,
      cwd,
      timeoutMs,
      signal: context.signal,
      onOutput,
    });
    const whole = outcome.whole === undefined ? undefined : await context.artifacts.put(outcome.whole);
    const artifact = whole && { id: whole.id as ArtifactId, bytes: whole.bytes };
    const display = displayOf(input, outcome);
    return {
      version: 1,
      ...situation(outcome),
      content: words(outcome, timeoutMs, artifact),
      display,
      ...(artifact ? { artifact } : {}),
    };
  },
};

async function plan(input: Input, ports: ToolPorts): Promise<{ cwd: RelativePath; timeoutMs: number }> {
  const timeoutMs = Math.min(input.timeoutMs ?? ports.settings.commandTimeoutMs, LONGEST_MS);
  return { cwd: await checkedLine(NAME, input, ports), timeoutMs };
}

function progress(chunk: string, context: ToolContext): void {
  const line = chunk.trimEnd().split('\n').at(-1)?.trim();
  if (line) context.onProgress(truncate(line, 200));
}

/** A command's own exit code may be anything: that is its success to tell. */
function situation(outcome: CommandOutcome): Pick<ToolResult, 'status' | 'code' | 'retryable'> {
  if (outcome.cancelled) return { status: 'cancelled', code: 'cancelled', retryable: false };
  if (outcome.timedOut) return { status: 'error', code: 'timed_out', retryable: false };
  return { status: 'success' };
}

function words(outcome: CommandOutcome, timeoutMs: number, artifact: ArtifactReference | undefined): string {
  const notes = [
    endWords(outcome, timeoutMs),
    ...cutWords(outcome, artifact),
    ...killedWords(outcome),
    ...changeWords(outcome),
    ...outcome.notes,
  ];
  const output = outcome.output.trimEnd();
  return `${output === '' ? '(no output)' : output}\n\n(${notes.join('; ')})`;
}

function endWords({ cancelled, timedOut, exitCode, signal }: CommandOutcome, timeoutMs: number): string {
  if (cancelled) return 'run_command: cancelled by the user while it ran; it may have run in part';
  if (timedOut)
    return `run_command: stopped after its time limit of ${timeoutMs} ms; this is the output so far`;
  if (signal !== undefined) return `ended by signal ${signal}`;
  return `exit code ${exitCode ?? 'unknown'}`;
}

function cutWords({ omitted }: CommandOutcome, artifact: ArtifactReference | undefined): string[] {
  if (omitted === 0) return [];
  const rest = artifact ? `; read_artifact {"id": ${JSON.stringify(artifact.id)}} has all of it` : '';
  return [`${count(omitted, 'character')} left out${rest}`];
}

function killedWords({ killed }: CommandOutcome): string[] {
  return killed.length === 0 ? [] : [`still running when it ended, and stopped: ${killed.join(', ')}`];
}

function changeWords({ changes }: CommandOutcome): string[] {
  if (changes.length === 0) return [];
  const named = changes.slice(0, CHANGES_NAMED).map((change) => `${change.path} (${change.operation})`);
  const more = changes.length > CHANGES_NAMED ? ` and ${changes.length - CHANGES_NAMED} more` : '';
  return [`changed on disk meanwhile: ${named.join(', ')}${more}`];
}

function durationWords(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function displayOf(input: Input, outcome: CommandOutcome): Display {
  const { exitCode, signal, durationMs, omitted, sandbox, changes } = outcome;
  const fields: DisplayField[] = [
    { key: t('duration'), value: durationWords(durationMs) },
    { key: t('sandbox'), value: sandbox },
  ];
  if (omitted > 0) fields.push({ key: t('left out'), value: t('{0} characters', omitted) });
  if (changes.length > 0)
    fields.push({ key: t('changed'), value: counted(changes.length, '{0} file', '{0} files') });
  return {
    kind: 'command',
    title: input.command,
    fields,
    command: input.command,
    body: outcome.output,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal === undefined ? {} : { signal }),
  };
}
