import { canonicalJson, sha256 } from '#base/hash';
import type { Mode } from '#protocol/settings';
import type { Risk } from '#protocol/tool-call';
import { LEGAL_NAME, MCP_PREFIX } from './legal-name';
import { ownerOf } from './origin';
import { effectiveRisk } from './risk';
import { hasSchema, schemaOf, type ToolSchema } from './schema';
import type { ToolDefinition } from './tool';

/** All tools there are at one moment. Never changes; a change in the world makes a new one. */
export interface ToolTable {
  readonly version: number;
  readonly tools: readonly ToolDefinition[];
  get(name: string): ToolDefinition | undefined;
}

/** What one request shows to the model. */
export interface ToolView {
  readonly tools: readonly ToolDefinition[];
  readonly names: readonly string[];
  readonly schemas: readonly ToolSchema[];
  readonly schemaSha256: string;
  /** Of the deferred tools, those that are switched on, in that order: the last of `tools`. */
  readonly activated: readonly string[];
  /** Those that can be switched on: mode, policy and view leave them, and they aren't on yet. */
  readonly deferred: readonly ToolDefinition[];
  has(name: string): boolean;
}

/** By what a view is cut from the table. */
export interface ViewOptions {
  readonly mode: Mode;
  /** Exactly read_file, edit_file and run_command. */
  readonly simple: boolean;
  /** The only tools a subagent may see. */
  readonly subagentTools?: readonly string[];
  /** Whether the session has an artifact to read. */
  readonly artifacts: boolean;
  /** Whether the session has had a background command. */
  readonly background?: boolean;
  /** Deferred tools that were found and switched on, in that order. */
  readonly activated?: ReadonlySet<string>;
  /** Names that the policy forbids. */
  readonly forbidden?: readonly string[];
}

/** An outside tool that could not have its name. */
export interface DroppedTool {
  readonly name: string;
  /** Whose tool keeps the name, and whose was dropped; in words. */
  readonly kept: string;
  readonly dropped: string;
}

const NAME = /^[a-z][a-z0-9_]{0,63}$/;
const SIMPLE = ['read_file', 'edit_file', 'run_command'];
const NEEDS_ARTIFACT = 'read_artifact';
const NEEDS_DEFERRED = 'search_tools';
const NEEDS_BACKGROUND: ReadonlySet<string> = new Set([
  'list_commands',
  'command_terminal_capabilities',
  'command_status',
  'command_output',
  'command_input',
  'resize_command_pty',
  'cancel_command',
]);

/** The table of our own tools. A name used twice or ill-formed is a bug, so it throws. */
export function createToolbox(tools: readonly ToolDefinition[]): ToolTable {
  const owners = new Map<string, ToolDefinition>();
  for (const tool of tools) {
    if (!NAME.test(tool.name))
      throw new Error(`"${tool.name}" of ${ownerOf(tool.origin)} is not a legal tool name`);
    const first = owners.get(tool.name);
    if (first)
      throw new Error(
        `two tools are named ${tool.name}: ${ownerOf(first.origin)} and ${ownerOf(tool.origin)}`,
      );
    owners.set(tool.name, tool);
  }
  return tableOf(1, owners);
}

/**
 * A new table with outside tools added. One that can't have its name, or whose schema no request could carry, is dropped and reported,
 * never swapped in. `isReserved`: names by which rules and hooks mean tools of ours.
 */
export function withTools(
  table: ToolTable,
  added: readonly ToolDefinition[],
  isReserved: (name: string) => boolean = () => false,
): { readonly table: ToolTable; readonly dropped: readonly DroppedTool[] } {
  const tools = new Map(table.tools.map((tool) => [tool.name, tool]));
  const own = new Map(table.tools.map((tool) => [lookalike(tool.name), tool]));
  const dropped: DroppedTool[] = [];
  for (const tool of added) {
    const holder = tools.get(tool.name) ?? own.get(lookalike(tool.name));
    const kept = holder ? ownerOf(holder.origin) : isReserved(tool.name) ? RESERVED : flawOf(tool);
    if (kept === undefined) tools.set(tool.name, tool);
    else dropped.push({ name: tool.name, kept, dropped: ownerOf(tool.origin) });
  }
  return { table: tableOf(table.version + 1, tools), dropped };
}

const RESERVED = 'Belay: rules mean its own tools by that name';

/** Our own tools' names aren't left to ones that a person would take for them. */
function lookalike(name: string): string {
  return String(name).toLowerCase().replaceAll('-', '_');
}

/** Schemas of deferred tools are looked at when they are switched on: there may be thousands. */
function flawOf(tool: ToolDefinition): string | undefined {
  if (!LEGAL_NAME.test(tool.name)) return 'nobody: the name is not legal';
  // Rules name the tools of MCP servers by their beginning.
  if (tool.name.startsWith(MCP_PREFIX) && tool.origin.kind !== 'mcp')
    return 'MCP servers: their names begin so';
  return tool.deferred || hasSchema(tool) ? undefined : 'nobody: its input schema is not usable';
}

/** Cuts from the table what this request may show. Equal options give the very same view. */
export function viewOf(table: ToolTable, options: ViewOptions): ToolView {
  const known = views.get(table) ?? new Map<string, ToolView>();
  views.set(table, known);
  const key = canonicalJson({ ...options, activated: [...(options.activated ?? [])] });
  const view = known.get(key) ?? cutView(table, options);
  known.set(key, view);
  return view;
}

const views = new WeakMap<ToolTable, Map<string, ToolView>>();

function cutView(table: ToolTable, options: ViewOptions): ToolView {
  const usable = table.tools.filter((tool) => isUsable(tool, options));
  const { activated = new Set<string>() } = options;
  const anyDeferred = usable.some((tool) => tool.deferred);
  const always = usable.filter((tool) => !tool.deferred && isNeeded(tool, options, anyDeferred));
  const found = usable.filter((tool) => tool.deferred && activated.has(tool.name));
  // Each new one behind those before it, so that what a provider has cached of the list still holds.
  const rank = new Map([...activated].map((name, index) => [name, index]));
  found.sort((a, b) => (rank.get(a.name) ?? 0) - (rank.get(b.name) ?? 0));
  const tools = [...always, ...found];
  const schemas = tools.map(schemaOf);
  const names = new Set(tools.map((tool) => tool.name));
  return {
    tools,
    names: [...names],
    schemas,
    schemaSha256: sha256(canonicalJson(schemas)),
    activated: found.map(({ name }) => name),
    deferred: usable.filter((tool) => tool.deferred && !names.has(tool.name)),
    has: (name) => names.has(name),
  };
}

/** Whether mode, policy and view let the model have it at all. */
function isUsable(tool: ToolDefinition, options: ViewOptions): boolean {
  if (options.simple && !SIMPLE.includes(tool.name)) return false;
  if (options.forbidden?.includes(tool.name)) return false;
  const isListed = options.subagentTools?.includes(tool.name) ?? true;
  if (!isListed && tool.name !== NEEDS_DEFERRED) return false;
  return options.mode !== 'read-only' || isHarmless(effectiveRisk(tool).risk);
}

/** Whether there is use for it now. */
function isNeeded({ name }: ToolDefinition, options: ViewOptions, anyDeferred: boolean): boolean {
  if (name === NEEDS_DEFERRED) return anyDeferred;
  if (name === NEEDS_ARTIFACT) return options.artifacts;
  return !NEEDS_BACKGROUND.has(name) || options.background === true;
}

function isHarmless(risk: Risk): boolean {
  return risk === 'read';
}

function tableOf(version: number, tools: ReadonlyMap<string, ToolDefinition>): ToolTable {
  const list = Object.freeze([...tools.values()]);
  const byName = new Map(tools);
  return Object.freeze({ version, tools: list, get: (name: string) => byName.get(name) });
}
