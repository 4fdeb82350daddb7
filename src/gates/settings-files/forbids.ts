import { parseTarget, type RuleTarget } from '#gates/rules/rule';
import { namesTool } from '#gates/rules/tool-names';
import { MODES, type Mode } from '#protocol/settings';
import { namedByServer } from '#tools/origin';
import { effectiveRisk } from '#tools/risk';
import type { ToolDefinition } from '#tools/tool';
import type { Forbids, SettingsFile } from './settings-file';

/** What the policy forbids; undefined where there is none. */
function forbidsOf(files: readonly SettingsFile[]): Forbids | undefined {
  return files.find(({ origin }) => origin === 'policy')?.forbids;
}

/** The modes that the policy leaves. Reading is never forbidden: something must remain. */
export function permittedModes(files: readonly SettingsFile[]): readonly Mode[] {
  const forbidden = forbidsOf(files)?.modes ?? [];
  return MODES.filter((mode) => mode === 'read-only' || !forbidden.includes(mode));
}

/** The mode itself, or the next stricter one that the policy leaves. */
export function permittedMode(mode: Mode, files: readonly SettingsFile[]): Mode {
  const left = permittedModes(files);
  return MODES.slice(0, MODES.indexOf(mode) + 1).findLast((each) => left.includes(each)) ?? 'read-only';
}

/** The policy's own words for why it forbids a tool; undefined where it doesn't. */
export function forbiddenTool(
  tool: Pick<ToolDefinition, 'name' | 'origin' | 'risk' | 'capabilities'>,
  files: readonly SettingsFile[],
): string | undefined {
  const forbids = forbidsOf(files);
  if (!forbids) return undefined;
  const { origin } = tool;
  if (origin.kind === 'mcp' && isForbiddenServer(origin.server, files)) return `mcpServers: ${origin.server}`;
  const named = forbids.tools.find((word) => {
    const target = parseTarget(word);
    return target.ok && means(target.value, tool);
  });
  return named === undefined ? undefined : `tools: ${named}`;
}

/** Whether the policy forbids an MCP server of that name: then it isn't even started. */
export function isForbiddenServer(server: string, files: readonly SettingsFile[]): boolean {
  return forbidsOf(files)?.mcpServers.some((name) => name === '*' || name === server) ?? false;
}

/** The names of the tools that the policy forbids, so that nobody is shown them. */
export function forbiddenTools(
  tools: readonly ToolDefinition[],
  files: readonly SettingsFile[],
): readonly string[] {
  if (!forbidsOf(files)) return [];
  return tools.filter((tool) => forbiddenTool(tool, files) !== undefined).map(({ name }) => name);
}

/** Whether hooks other than the policy's own are forbidden. */
export function hooksForbidden(files: readonly SettingsFile[]): boolean {
  return forbidsOf(files)?.hooks ?? false;
}

/** A group of tools is known by what its tools can do. */
function means(
  target: RuleTarget,
  tool: Pick<ToolDefinition, 'name' | 'origin' | 'risk' | 'capabilities'>,
): boolean {
  const { risk, capabilities } = effectiveRisk(tool);
  switch (target.kind) {
    case 'tool':
      return namesTool(target.name, { tool: tool.name, ...namedByServer(tool) }, 'guard');
    case 'command':
      return capabilities.includes('process.execute');
    case 'path':
      return capabilities.includes(target.access === 'read' ? 'filesystem.read' : 'filesystem.write');
    case 'host':
      return capabilities.includes('network');
    case 'capability':
      return capabilities.includes(target.capability);
    case 'risk':
      return risk === target.risk;
  }
}
