import { dirname } from 'node:path/posix';
import type { Result } from '#base/result';
import type { CommandOutcome, CommandRequest } from '#commands/command';
import { hiddenFiles } from '#disk/hidden-files';
import type { FileProblem, Landing } from '#host';
import type { ArtifactId, CallId, RelativePath, Sha256, TurnId } from '#protocol/ids';
import type { Todo } from '#protocol/todo';
import type { ToolResult } from '#protocol/tool-result';
import type { ArtifactsTable } from '#store/artifacts';
import { memoryStore, SESSION } from '#test/unit/store/lab';
import { absolutePath } from '#tools/paths';
import type { Artifacts, ReadRecords, ToolContext, ToolDefinition, Writer, Written } from '#tools/tool';
import { ToolFailure } from '#tools/tool';
import { type MemoryHost, type MemoryHostOptions, memoryHost } from './memory-host';
import { type TempFolder, tempFolder } from './temp-folder';

/** A workspace in a real folder, and a context in which tools really work on it. */
export interface Bench {
  readonly folder: TempFolder;
  readonly host: MemoryHost;
  readonly context: ToolContext;
  /** Every change that went through the writer. */
  readonly written: Landing[];
  /** Commands that ran, in order. */
  readonly ran: CommandRequest[];
  /** Answers of the command runner, in order; then an exit code of 0 without output. */
  readonly outcomes: Partial<CommandOutcome>[];
  /** Validates and executes as the pipeline would; a failure becomes a result. */
  call<Input>(tool: ToolDefinition<Input>, input: unknown): Promise<ToolResult>;
}

export interface BenchOptions extends MemoryHostOptions {
  readonly context?: Partial<ToolContext>;
}

export function toolBench(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  options: BenchOptions = {},
): Bench {
  const folder = tempFolder(files);
  const host = memoryHost(options);
  const written: Landing[] = [];
  const ran: CommandRequest[] = [];
  const outcomes: Partial<CommandOutcome>[] = [];
  let todos: readonly Todo[] = [];
  const context: ToolContext = {
    workspace: { root: folder.path, name: 'test', hidden: hiddenFiles(folder.path) },
    files: host.files,
    documents: host.documents,
    encodings: host.encodings,
    intelligence: host.intelligence,
    environment: host.environment,
    clock: host.clock,
    settings: host.settings.current(),
    reads: memoryReads(),
    authorized: true,
    callId: 'call-1' as CallId,
    turnId: 'turn-1' as TurnId,
    signal: new AbortController().signal,
    writer: memoryWriter(host, folder, written),
    commands: {
      async run(request) {
        ran.push(request);
        const outcome = {
          exitCode: 0,
          timedOut: false,
          cancelled: false,
          durationMs: 1,
          output: '',
          omitted: 0,
        };
        return { ...outcome, killed: [], sandbox: 'none', changes: [], notes: [], ...outcomes.shift() };
      },
    },
    artifacts: memoryArtifacts(),
    todos: {
      list: () => todos,
      write: async (list) => {
        todos = list;
      },
    },
    onProgress: () => undefined,
    ...options.context,
  };
  return { folder, host, context, written, ran, outcomes, call: (tool, input) => call(tool, input, context) };
}

/** Records of what was read, in memory. */
function memoryReads(): ReadRecords {
  const records = new Map<RelativePath, { sha256: Sha256; shown: Set<number>; total: number }>();
  const linesOf = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
  return {
    note(path, sha256, { from, to, total }) {
      const known = records.get(path);
      const before = known?.sha256 === sha256 ? known.shown : [];
      records.set(path, { sha256, shown: new Set([...before, ...linesOf(from, to)]), total });
    },
    wrote: (path, sha256, total) =>
      void records.set(path, { sha256, shown: new Set(linesOf(1, total)), total }),
    seen(path) {
      const known = records.get(path);
      return known && { sha256: known.sha256, whole: known.shown.size >= known.total };
    },
    forget: (path) => void records.delete(path),
  };
}

/** Artifacts in a store in memory. */
export function memoryArtifacts(): Artifacts {
  let store: ArtifactsTable | undefined;
  // Most tests keep nothing: the database is opened for the first that does.
  const table = () => (store ??= memoryStore().artifacts);
  let kept = 0;
  return {
    put: async (content) => table().put(SESSION, `artifact-${++kept}` as ArtifactId, content, 0),
    read: async (id, offset, maxBytes) => table().read(SESSION, id as ArtifactId, offset, maxBytes),
    any: () => kept > 0,
  };
}

/** A writer that lands changes on the disk, without journal and without asking what was allowed. */
function memoryWriter(host: MemoryHost, folder: TempFolder, written: Landing[]): Writer {
  const at = (path: string) => absolutePath({ root: folder.path, name: '' }, path);
  const makeParents = async (path: RelativePath): Promise<void> => {
    const parent = dirname(path) as RelativePath;
    if ((await host.files.stat(at(parent))) !== undefined) return;
    await makeParents(parent);
    await host.files.land({ kind: 'make-folder', path: at(parent) });
  };
  const land = async (change: Landing, parentOf?: RelativePath): Promise<Result<Written, FileProblem>> => {
    if (parentOf !== undefined) await makeParents(parentOf);
    written.push(change);
    return host.files.land(change);
  };
  return {
    create: (path, bytes) => land({ kind: 'create', path: at(path), bytes }, path),
    replace: (path, bytes, expected) => land({ kind: 'replace', path: at(path), bytes, expected }),
    replaceFound: (path, bytes, expected) => land({ kind: 'replace', path: at(path), bytes, expected }),
    rename: (from, to, expected) => land({ kind: 'rename', path: at(from), to: at(to), expected }, to),
    delete: (path, expected) => land({ kind: 'delete', path: at(path), expected }),
  };
}

async function call<Input>(
  tool: ToolDefinition<Input>,
  input: unknown,
  context: ToolContext,
): Promise<ToolResult> {
  const failed = (
    code: 'invalid_arguments' | 'rejected_arguments' | 'tool_failed',
    content: string,
  ): ToolResult => ({
    version: 1,
    status: 'error',
    code,
    retryable: code !== 'tool_failed',
    content,
  });
  const parsed = tool.inputSchema.safeParse(input);
  if (!parsed.success)
    return failed('invalid_arguments', parsed.error.issues.map((issue) => issue.message).join('; '));
  const refused = await tool.validate?.(parsed.data, context);
  if (refused !== undefined) return failed('rejected_arguments', refused);
  try {
    await tool.touches(parsed.data, context);
    const result = await tool.execute(parsed.data, context);
    return typeof result === 'string' ? { version: 1, status: 'success', content: result } : result;
  } catch (error) {
    if (error instanceof ToolFailure) return failed(error.code, error.message);
    throw error;
  }
}
