import type { Connection } from '#addons/mcp/connection/connection';
import { canonicalJson } from '#base/hash';
import type { Result } from '#base/result';
import { revealInvisible, truncate } from '#base/text';
import type { McpToolRow } from '#protocol/mcp';
import type { Settings } from '#protocol/settings';
import type { ToolDefinition } from '#tools/tool';
import { legalName } from './names';
import { remoteTool } from './remote-tool';
import { inputSchemaOf } from './schema-input';
import { readTools, type ServerTool } from './server-tool';

/** The tools of one server: those that models may use, and all of them as the view shows them. */
export interface Offer {
  readonly definitions: readonly ToolDefinition[];
  readonly rows: readonly McpToolRow[];
}

/** What an offer is made of. */
export interface OfferParts {
  readonly server: string;
  readonly timeoutMs: number;
  /** As the server lists them. */
  readonly listed: readonly unknown[];
  readonly settings: Pick<Settings, 'mcpDisabled' | 'mcpReadOnlyTools'>;
  /** Tools, by the server's names, that aren't what the person accepted. */
  readonly changed: ReadonlySet<string>;
  ready(signal: AbortSignal): Promise<Result<Connection, string>>;
}

const MOST_DESCRIPTION = 10_000;
const MOST_WORDS = 500;

/** Makes offers of one server. What stays the same stays the very same tool: a request's evidence and its caches hang on that. */
export class Offers {
  #made = new Map<string, ToolDefinition | string>();

  /** Tools that can't be told to a model, or mustn't, are in the rows alone, with the reason. */
  offer(parts: OfferParts, changedWords: string): Offer {
    const { tools, broken } = readTools(parts.listed);
    const made = new Map<string, ToolDefinition | string>();
    const definitions: ToolDefinition[] = [];
    const rows: McpToolRow[] = [];
    for (const tool of tools) {
      const definition = this.#definition(tool, parts, made);
      const row = rowOf(tool, parts.server);
      if (parts.changed.has(tool.name)) rows.push({ ...row, state: 'changed', why: changedWords });
      else if (isOff(tool, parts)) rows.push({ ...row, state: 'off' });
      else if (typeof definition === 'string') rows.push({ ...row, state: 'broken', why: definition });
      else {
        definitions.push(definition);
        rows.push(row);
      }
    }
    this.#made = made;
    for (const { name, why } of broken)
      rows.push({ name: '', original: name, description: '', state: 'broken', why });
    return { definitions, rows };
  }

  #definition(
    tool: ServerTool,
    { server, timeoutMs, settings, ready }: OfferParts,
    made: Map<string, ToolDefinition | string>,
  ): ToolDefinition | string {
    const readsOnly = isReadOnly(tool, { server, settings });
    const key = canonicalJson([tool, readsOnly, timeoutMs]);
    const known = this.#made.get(key) ?? make();
    made.set(key, known);
    return known;

    function make(): ToolDefinition | string {
      const schema = inputSchemaOf(tool.inputSchema);
      if (!schema.ok) return schema.error;
      return remoteTool({
        server,
        original: tool.name,
        name: legalName({ server, tool: tool.name }),
        description: truncate(revealInvisible(tool.description), MOST_DESCRIPTION),
        inputSchema: schema.value,
        readsOnly,
        timeoutMs,
        ready,
      });
    }
  }
}

/** Also by the name as the view shows it, which is what a switch there writes down. */
function isOff({ name }: ServerTool, { server, settings }: Pick<OfferParts, 'server' | 'settings'>): boolean {
  return [name, revealInvisible(name)].some((each) => settings.mcpDisabled.includes(`${server}/${each}`));
}

/**
 * A mark opens, so it must mean one tool alone: the last `/` ends the server's name. A tool with a `/` in its own name is marked by the name
 * that the model sees.
 */
function isReadOnly(
  { name }: ServerTool,
  { server, settings: { mcpReadOnlyTools } }: Pick<OfferParts, 'server' | 'settings'>,
): boolean {
  if (mcpReadOnlyTools.includes(legalName({ server, tool: name }))) return true;
  return !name.includes('/') && mcpReadOnlyTools.includes(`${server}/${name}`);
}

function rowOf(tool: ServerTool, server: string): McpToolRow {
  return {
    name: legalName({ server, tool: tool.name }),
    original: revealInvisible(tool.name),
    description: truncate(revealInvisible(tool.description), MOST_WORDS),
    state: 'on',
  };
}
