import { z } from 'zod';
import { hiddenFiles } from '#disk/hidden-files';
import type { GateContext, GateOutcome } from '#gates/context';
import { walk } from '#gates/pipeline';
import { SessionRules } from '#gates/rules/session-rules';
import type { SettingsFiles } from '#gates/settings-files/settings-file';
import type { ApprovalAnswer, ApprovalRequest } from '#protocol/approval';
import type { AbsolutePath, ApprovalId, CallId, SessionId } from '#protocol/ids';
import type { Mode, PermissionLists } from '#protocol/settings';
import type { ToolCall } from '#protocol/tool-call';
import { type MemoryHost, memoryHost } from '#test/support/memory-host';
import { noSettingsFiles } from '#test/support/settings-files';
import { type TempFolder, tempFolder } from '#test/support/temp-folder';
import { deleteFile } from '#tools/files/delete-file';
import { editFile } from '#tools/files/edit-file';
import { readFile } from '#tools/files/read-file';
import { renameFile } from '#tools/files/rename-file';
import { writeFile } from '#tools/files/write-file';
import type { ReadRecords, ToolDefinition, ToolPorts } from '#tools/tool';
import { createToolbox, type ToolTable, viewOf } from '#tools/toolbox';

export interface BenchOptions {
  readonly mode?: Mode;
  readonly rules?: Partial<PermissionLists>;
  readonly answers?: readonly (ApprovalAnswer['answer'] | ApprovalAnswer)[];
  readonly files?: Readonly<Record<string, string>>;
  readonly sandbox?: boolean;
  readonly trusted?: boolean;
  readonly tools?: readonly ToolDefinition[];
  readonly shell?: GateContext['shell'];
  /** Commands that only read go unasked; off here, where the rules are what is looked at. */
  readonly reading?: boolean;
  readonly settingsFiles?: (host: MemoryHost, root: AbsolutePath) => SettingsFiles;
}

/** The gates over real files and real file tools, with a person whose answers are scripted. */
export interface Bench {
  readonly context: GateContext;
  readonly host: MemoryHost;
  readonly folder: TempFolder;
  readonly asked: readonly ApprovalRequest[];
  readonly stop: AbortController;
  setMode(mode: Mode): void;
  walk(name: string, input: unknown): Promise<GateOutcome>;
  run(command: string, more?: { readonly network?: boolean; readonly cwd?: string }): Promise<GateOutcome>;
}

/** A command tool whose touches are its input: what it runs is of no matter here. */
export const runCommand: ToolDefinition<{
  command: string;
  network?: boolean | undefined;
  cwd?: string | undefined;
}> = {
  name: 'run_command',
  description: 'Runs a command.',
  risk: 'execute',
  capabilities: ['process.execute', 'filesystem.read', 'filesystem.write', 'network'],
  concurrencySafe: false,
  inputSchema: z.strictObject({
    command: z.string(),
    network: z.boolean().optional(),
    cwd: z.string().optional(),
  }),
  origin: { kind: 'built-in' },
  touches: async ({ command, network, cwd }) => [
    { kind: 'execute', command, cwd: cwd ?? '.', network: network ?? false, description: 'does it' },
  ],
  summarize: ({ command }) => command,
  execute: async () => 'ran',
};

const noReads: ReadRecords = {
  note: () => undefined,
  wrote: () => undefined,
  seen: () => undefined,
  forget: () => undefined,
};

export function bench(options: BenchOptions = {}): Bench {
  const folder = tempFolder(options.files ?? {});
  const host = memoryHost({
    answers: options.answers ?? [],
    settings: {
      permissions: { deny: [], allow: [], ask: [], ...options.rules },
      autoAllowReadOnly: options.reading ?? false,
    },
  });
  const stop = new AbortController();
  const table = createToolbox([
    ...([readFile, editFile, writeFile, renameFile, deleteFile, runCommand] as readonly ToolDefinition[]),
    ...(options.tools ?? []),
  ]);
  let mode = options.mode ?? 'workspace-write';
  const trusted = options.trusted ?? true;
  const context = contextOf({ host, folder, stop, table, mode: () => mode, trusted, options });
  let calls = 0;
  const bench: Bench = {
    context,
    host,
    folder,
    asked: host.asked,
    stop,
    setMode(next) {
      mode = next;
    },
    walk(name, input) {
      const call = callOf(name, JSON.stringify(input), `p${++calls}`);
      return walk(call, { ...context, batch: [call] });
    },
    run: (command, more = {}) => bench.walk('run_command', { command, ...more }),
  };
  return bench;
}

export function callOf(name: string, rawInput: string, id: string, more: Partial<ToolCall> = {}): ToolCall {
  return { id: `call-${id}` as CallId, providerId: id, name, rawInput, ...more };
}

/** `allow`, `ask` or `deny` as a person would see it: `ask` when there was a question. */
export async function verdictOf(
  walked: Promise<GateOutcome>,
  bench: Bench,
): Promise<'allow' | 'ask' | 'deny'> {
  const before = bench.asked.length;
  const outcome = await walked;
  if (bench.asked.length > before) return 'ask';
  return outcome.kind === 'passed' ? 'allow' : 'deny';
}

function contextOf(parts: {
  readonly host: MemoryHost;
  readonly folder: TempFolder;
  readonly stop: AbortController;
  readonly table: ToolTable;
  readonly mode: () => Mode;
  readonly trusted: boolean;
  readonly options: BenchOptions;
}): GateContext {
  const { host, folder, stop, table, mode, trusted, options } = parts;
  let ids = 0;
  return {
    sessionId: 'session' as SessionId,
    batch: [],
    table,
    view: viewOf(table, { mode: mode(), simple: false, artifacts: true }),
    ports: portsOf(host, folder),
    mode,
    isTrusted: () => trusted,
    sessionRules: new SessionRules(),
    settingsFiles: options.settingsFiles?.(host, folder.path) ?? noSettingsFiles,
    sandbox:
      options.sandbox === false
        ? { active: false, words: 'no sandbox on this machine' }
        : { active: true, words: 'sandboxed' },
    shell: options.shell ?? 'bash',
    signal: stop.signal,
    log: host.log,
    newApprovalId: () => `approval-${++ids}` as ApprovalId,
    ask: (request) => host.prompter.ask(request, stop.signal),
  };
}

function portsOf(host: MemoryHost, folder: TempFolder): ToolPorts {
  return {
    workspace: { root: folder.path, name: 'ws', hidden: hiddenFiles(folder.path) },
    files: host.files,
    documents: host.documents,
    encodings: host.encodings,
    intelligence: host.intelligence,
    environment: host.environment,
    clock: host.clock,
    settings: host.settings.current(),
    reads: noReads,
  };
}
