import { canonicalJson, sha256 } from '#base/hash';
import type { Mode } from '#protocol/settings';
import type { Risk } from '#protocol/tool-call';
import { effectiveRisk } from './risk';
import { schemaOf, type ToolSchema } from './schema';
import type { ToolDefinition, ToolOrigin } from './tool';

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
  has(name: string): boolean;
}

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
  /** Deferred tools that were found and switched on. */
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

/** A new table with outside tools added. One whose name is taken or ill-formed is dropped and reported, never swapped in. */
export function withTools(
  table: ToolTable,
  added: readonly ToolDefinition[],
): { readonly table: ToolTable; readonly dropped: readonly DroppedTool[] } {
  const tools = new Map(table.tools.map((tool) => [tool.name, tool]));
  const dropped: DroppedTool[] = [];
  for (const tool of added) {
    const holder = tools.get(tool.name);
    const kept = holder
      ? ownerOf(holder.origin)
      : NAME.test(tool.name)
        ? undefined
        : 'nobody: the name is not legal';
    if (kept === undefined) tools.set(tool.name, tool);
    else dropped.push({ name: tool.name, kept, dropped: ownerOf(tool.origin) });
  }
  return { table: tableOf(table.version + 1, tools), dropped };
}

/** Cuts from the table what this request may show. Equal options give the very same view. */
export function viewOf(table: ToolTable, options: ViewOptions): ToolView {
  const known = views.get(table) ?? new Map<string, ToolView>();
  views.set(table, known);
  const key = canonicalJson({ ...options, activated: [...(options.activated ?? [])].sort() });
  const view = known.get(key) ?? cutView(table, options);
  known.set(key, view);
  return view;
}

const views = new WeakMap<ToolTable, Map<string, ToolView>>();

function cutView(table: ToolTable, options: ViewOptions): ToolView {
  const tools = table.tools.filter((tool) => isShown(tool, options));
  const schemas = tools.map(schemaOf);
  const names = new Set(tools.map((tool) => tool.name));
  return {
    tools,
    names: [...names],
    schemas,
    schemaSha256: sha256(canonicalJson(schemas)),
    has: (name) => names.has(name),
  };
}

function isShown(tool: ToolDefinition, options: ViewOptions): boolean {
  if (options.simple && !SIMPLE.includes(tool.name)) return false;
  if (options.forbidden?.includes(tool.name)) return false;
  if (options.subagentTools && !options.subagentTools.includes(tool.name)) return false;
  if (tool.name === NEEDS_ARTIFACT && !options.artifacts) return false;
  if (NEEDS_BACKGROUND.has(tool.name) && options.background !== true) return false;
  if (tool.deferred && options.activated?.has(tool.name) !== true) return false;
  return options.mode !== 'read-only' || isHarmless(effectiveRisk(tool).risk);
}

function isHarmless(risk: Risk): boolean {
  return risk === 'read';
}

function tableOf(version: number, tools: ReadonlyMap<string, ToolDefinition>): ToolTable {
  const list = Object.freeze([...tools.values()]);
  const byName = new Map(tools);
  return Object.freeze({ version, tools: list, get: (name: string) => byName.get(name) });
}

function ownerOf(origin: ToolOrigin): string {
  switch (origin.kind) {
    case 'built-in':
      return 'Belay';
    case 'session':
      return 'this session';
    case 'extension':
      return `the extension ${origin.id}`;
    case 'mcp':
      return `the MCP server ${origin.server}`;
    case 'plugin':
      return `the plugin ${origin.id}`;
  }
}
