import { fieldsOf } from './fields-of';

/** What the rule needs of an entry of `vscode.lm.tools`. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
}

/** What an extension's manifest says. */
export interface Manifest {
  readonly id: string;
  readonly packageJSON: unknown;
}

/** Whose tool it is, if it is offered; `''` where no manifest names it and the person allows it all the same. */
export type Owner = { readonly kind: 'offered'; readonly id: string } | { readonly kind: 'left-out' };

const LEFT_OUT: Owner = { kind: 'left-out' };
/** They do what our own tools do, past our gates; the editor reserves these beginnings for them. */
const OF_THE_EDITOR = /^(copilot|vscode)_/;
const BUILT_IN = /^(vscode\.|github\.copilot($|-))/;

/**
 * Which of the editor's tools are offered: those that an installed extension contributes by its manifest. The editor's own tools
 * (`run_in_terminal`, …) and those of its MCP servers (`mcp_server_tool`) have no such owner, those of extensions that come with the editor and
 * of Copilot do what Belay's gates are there for: all of them only by name (`allowed`).
 */
export function ownersOf(
  manifests: readonly Manifest[],
  own: string,
  allowed: readonly string[],
): (tool: ListedTool) => Owner {
  const contributed = contributions(manifests);
  return (tool) => {
    const claims = (contributed.get(tool.name) ?? []).filter(
      ({ description }) => description === tool.description,
    );
    if (claims.some(({ id }) => id === own)) return LEFT_OUT;
    // A manifest may name what the editor has already: whoever doesn't describe it doesn't own it, and of two nobody knows.
    const [claim] = claims;
    const owner = claims.length === 1 && claim ? claim : undefined;
    if (owner && !owner.builtIn && !OF_THE_EDITOR.test(tool.name)) return { kind: 'offered', id: owner.id };
    return isAllowed(tool.name, allowed) ? { kind: 'offered', id: owner?.id ?? '' } : LEFT_OUT;
  };
}

/** `mcp_github_*` allows all that begin so; a star alone would allow what nobody has looked at. */
function isAllowed(name: string, allowed: readonly string[]): boolean {
  return allowed.some((word) =>
    word.endsWith('*') ? word.length > 1 && name.startsWith(word.slice(0, -1)) : word === name,
  );
}

interface Claim {
  readonly id: string;
  readonly builtIn: boolean;
  readonly description: unknown;
}

function contributions(manifests: readonly Manifest[]): ReadonlyMap<string, readonly Claim[]> {
  const found = new Map<string, Claim[]>();
  for (const { id, packageJSON } of manifests) {
    const manifest = fieldsOf(packageJSON);
    const tools: unknown = fieldsOf(manifest['contributes'])['languageModelTools'];
    const builtIn = manifest['isBuiltin'] === true || BUILT_IN.test(id.toLowerCase());
    for (const tool of Array.isArray(tools) ? tools : []) {
      const { name, modelDescription: description } = fieldsOf(tool);
      if (typeof name !== 'string') continue;
      found.set(name, [...(found.get(name) ?? []), { id, builtIn, description }]);
    }
  }
  return found;
}
