import { t } from '#base/l10n';
import { fail, messageOf, ok, type Result } from '#base/result';
import { revealInvisible, truncate } from '#base/text';
import type { ExtensionCall, ExtensionTool } from '#host/extension-tools';
import { DISPLAY_LIMIT, type Display, type ToolResult } from '#protocol/tool-result';
import { schemaOf } from '#tools/schema';
import { demandAuthorization, type ToolContext, type ToolDefinition, ToolFailure } from '#tools/tool';
import { believed } from './believed';
import { extensionInput } from './input-schema';
import { TookTooLong, withinTime } from './time-limit';
import { outsideWords, touchesOf } from './touches';

/** Characters that a model is given of others' words about their tool. */
const LONGEST_DESCRIPTION = 4000;
const LONGEST_SUMMARY = 200;
const LONGEST_LINE = 200;

/** Others' tool as one of ours: deferred, gated by what is believed of it, its words shown for what they are. */
export function definitionOf(tool: ExtensionTool): Result<ToolDefinition, string> {
  const schema = extensionInput(tool.inputSchema);
  if (!schema.ok) return schema;
  const { name, owner, aliases, tags, searchHint } = tool;
  const definition: ToolDefinition = {
    name,
    description: truncate(revealInvisible(tool.description), LONGEST_DESCRIPTION),
    ...believed(tool.declared),
    inputSchema: schema.value,
    touches: (input) => touchesOf(tool, input),
    summarize: (input) => summaryOf(tool, input),
    concerns: async (input, ports) => outsideWords(await touchesOf(tool, input), ports),
    preview: async (input) => wholeInput(tool, input),
    execute: (input, context) => execute(tool, input, context),
    origin: { kind: 'extension', id: owner },
    deferred: true,
    searchMetadata: { aliases, tags, ...(searchHint === undefined ? {} : { searchHint }) },
  };
  try {
    schemaOf(definition);
    return ok(definition);
  } catch (error) {
    return fail(messageOf(error));
  }
}

/** The owner first, then its own word about the call, and always the whole input: a notification lets it run that shows no more. */
function summaryOf(tool: ExtensionTool, input: unknown): string {
  const { name, owner } = tool;
  return [t('{0} of {1}:', name, owner), ...wordsOf(tool, input), JSON.stringify(input)].join(' ');
}

function wordsOf({ declared }: ExtensionTool, input: unknown): readonly string[] {
  try {
    const said = declared?.summarize?.(structuredClone(input));
    const words = typeof said === 'string' ? said.trim().replace(/\s+/g, ' ') : '';
    return words === '' ? [] : [truncate(words, LONGEST_SUMMARY)];
  } catch {
    // Its input says enough.
    return [];
  }
}

/** Whatever the tool says of its call: this is what it would be given. */
function wholeInput({ name, owner }: ExtensionTool, input: unknown): Display {
  const body = revealInvisible(JSON.stringify(input, undefined, 2));
  const cut = { key: t('Shown'), value: t('a part only: the arguments have {0} characters', body.length) };
  const fields = [{ key: t('Extension'), value: owner }, ...(body.length > DISPLAY_LIMIT ? [cut] : [])];
  return { kind: 'json', title: name, body, fields };
}

async function execute(tool: ExtensionTool, input: unknown, context: ToolContext): Promise<ToolResult> {
  const { name, timeLimit } = tool;
  demandAuthorization(context, name);
  context.signal.throwIfAborted();
  const onProgress = (line: unknown) => {
    if (typeof line === 'string') context.onProgress(truncate(revealInvisible(line), LONGEST_LINE));
  };
  try {
    const given: unknown = await withinTime(
      (signal) => invoked(tool, structuredClone(input), { signal, onProgress }),
      timeLimit,
      context.signal,
    );
    // Whatever it is: the loop makes a result of it.
    return given as ToolResult;
  } catch (error) {
    if (error instanceof TookTooLong) return timedOut(name, messageOf(error));
    context.signal.throwIfAborted();
    throw error;
  }
}

/** What they throw may itself throw when it is looked at, so only our own errors leave here. */
async function invoked(tool: ExtensionTool, input: unknown, call: ExtensionCall): Promise<unknown> {
  try {
    return await tool.invoke(input, call);
  } catch (error) {
    throw new ToolFailure(failed(tool.name, error));
  }
}

function timedOut(name: string, why: string): ToolResult {
  const content = `${name}: ${why} and was told to stop; it may have run in part or still run, so look at the present state before you go on.`;
  return { version: 1, status: 'error', code: 'timed_out', retryable: false, content };
}

/** Their words, never their stack. */
function failed(name: string, error: unknown): string {
  return `${name}: failed: ${truncate(revealInvisible(messageOf(error)), 2000)}`;
}
