import type { Contribution } from '#agent/contribution';
import { Emitter } from '#base/emitter';
import { messageOf } from '#base/result';
import type { Log } from '#host';
import type { ExtensionTool, ExtensionTools } from '#host/extension-tools';
import type { ToolDefinition } from '#tools/tool';
import { definitionOf } from './definition';

/** More than anybody can want; each costs the prompt its name. */
const MOST = 1000;

/** Brings what the editor's other extensions offer. The editor tells of no changes, so each request looks. */
export function extensionTools(port: ExtensionTools, log: Log): Contribution {
  const changed = new Emitter<void>((error) => log.error(`a listener failed: ${messageOf(error)}`));
  const made = new WeakMap<ExtensionTool, ToolDefinition | 'unusable'>();
  let seen: readonly ExtensionTool[] = [];
  let tools: readonly ToolDefinition[] = [];
  const look = () => {
    const now = port.list();
    if (now.length === seen.length && now.every((tool, index) => tool === seen[index])) return false;
    if (now.length > MOST) log.warn(`extensions: ${now.length - MOST} of ${now.length} tools are left out`);
    seen = now;
    tools = now.slice(0, MOST).flatMap((tool) => usable(tool, made, log));
    return true;
  };
  look();
  return {
    name: 'other extensions',
    tools: () => tools,
    onDidChange: changed.event,
    look() {
      if (look()) changed.emit();
    },
    dispose: () => changed.dispose(),
  };
}

/** Made once per tool; one that can't be used is told of once and costs nobody else anything. */
function usable(
  tool: ExtensionTool,
  made: WeakMap<ExtensionTool, ToolDefinition | 'unusable'>,
  log: Log,
): readonly ToolDefinition[] {
  const known = made.get(tool);
  if (known !== undefined) return known === 'unusable' ? [] : [known];
  const definition = definitionOf(tool);
  made.set(tool, definition.ok ? definition.value : 'unusable');
  if (definition.ok) return [definition.value];
  log.warn(`extensions: ${tool.name} of ${tool.owner} is left out: ${definition.error}`);
  return [];
}
