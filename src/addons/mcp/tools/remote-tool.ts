import type { z } from 'zod';
import type { CallProblem, Connection } from '#addons/mcp/connection/connection';
import { inEnglish, t } from '#base/l10n';
import type { Result } from '#base/result';
import { revealInvisible } from '#base/text';
import { CAPABILITIES } from '#protocol/tool-call';
import { DISPLAY_LIMIT, type Display, type ToolResult } from '#protocol/tool-result';
import { demandAuthorization, type ToolContext, type ToolDefinition } from '#tools/tool';
import { resultOf } from './result';

/** A tool of a server that a model may be told of. */
export interface RemoteTool {
  /** As the person wrote it. */
  readonly server: string;
  /** As the server calls it. */
  readonly original: string;
  /** As the model calls it: legal and unique. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: z.ZodType;
  /** The person says so; nobody else's word counts. */
  readonly readsOnly: boolean;
  /** Milliseconds that a call may take without a sign of progress. */
  readonly timeoutMs: number;
  /** The server's connection, once there is one. */
  ready(signal: AbortSignal): Promise<Result<Connection, string>>;
}

/**
 * A server's tool as one of ours. What the server says of it (that it only reads, that it destroys nothing) lowers nothing: it counts as
 * able to do everything, unless the person lowered it.
 */
export function remoteTool(remote: RemoteTool): ToolDefinition {
  const { server, original, name, description, inputSchema, readsOnly } = remote;
  const title = `${server}: ${revealInvisible(original)}`;
  return {
    name,
    description,
    risk: readsOnly ? 'read' : 'execute',
    capabilities: readsOnly ? [] : CAPABILITIES,
    concurrencySafe: readsOnly,
    inputSchema,
    origin: { kind: 'mcp', server, tool: original },
    deferred: true,
    searchMetadata: { aliases: [original], tags: [server, 'mcp'] },
    touches: async () => [],
    summarize: (input) => `${title} ${shownJson(input)}`,
    preview: async (input) => preview(input, remote, title),
    async execute(input, context) {
      demandAuthorization(context, name);
      return call(remote, { input, context, title });
    },
  };
}

/** On one line, nothing left out, nothing invisible: an approval hides no value from the person. */
function shownJson(input: unknown, indent?: number): string {
  return revealInvisible(JSON.stringify(input, undefined, indent) ?? '');
}

function preview(input: unknown, { server, original }: RemoteTool, title: string): Display {
  const body = shownJson(input, 2);
  const fields = [
    { key: t('Server'), value: server },
    { key: t('Tool'), value: revealInvisible(original) },
  ];
  const isCut = body.length > DISPLAY_LIMIT;
  const cut = { key: t('Shown'), value: t('a part only: the arguments have {0} characters', body.length) };
  return { kind: 'json', title, body, fields: isCut ? [...fields, cut] : fields };
}

interface Call {
  readonly input: unknown;
  readonly context: ToolContext;
  readonly title: string;
}

async function call(remote: RemoteTool, { input, context, title }: Call): Promise<ToolResult> {
  const { signal } = context;
  const onProgress = (line: string) => context.onProgress(line);
  const options = { signal, timeoutMs: remote.timeoutMs, onProgress };
  // A server that lost its session did nothing: once more in a new one.
  for (let again = true; ; again = false) {
    const connection = await remote.ready(signal);
    if (!connection.ok) return failure(remote, { retryable: true, words: inEnglish(connection.error) });
    signal.throwIfAborted();
    const answer = await connection.value.callTool(remote.original, input, options);
    if (answer.ok) return resultOf(answer.value, title);
    if (answer.error.kind !== 'unknown-session' || !again) return problemOf(remote, answer.error);
  }
}

function problemOf(remote: RemoteTool, problem: CallProblem): ToolResult {
  const words = inEnglish(problem.words);
  switch (problem.kind) {
    case 'refused':
      return failure(remote, { words });
    case 'timed-out':
      return {
        ...failure(remote, { words: `${words}; it may have happened all the same` }),
        code: 'timed_out',
      };
    case 'unknown-session':
      return failure(remote, { words, retryable: true });
    case 'lost':
      return failure(remote, {
        words: `the connection was lost during the call: ${words}; it may have happened all the same`,
      });
  }
}

function failure(
  { name, server }: RemoteTool,
  { words, retryable = false }: { readonly words: string; readonly retryable?: boolean },
): ToolResult {
  const content = `${name}: the MCP server "${server}": ${words}`;
  return { version: 1, status: 'error', code: 'tool_failed', retryable, content };
}
