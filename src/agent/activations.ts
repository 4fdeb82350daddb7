import { canonicalJson, sha256 } from '#base/hash';
import type { SessionId } from '#protocol/ids';
import type { Store } from '#store/store';
import { hasSchema, schemaHash } from '#tools/schema';
import type { ToolDefinition } from '#tools/tool';
import type { ToolTable } from '#tools/toolbox';

/** Most deferred tools that are on at once: with Belay's own they stay below the 128 tools that some providers take. */
const MOST_ACTIVE = 80;

/**
 * The deferred tools that one session has switched on. Kept with the session: a reload, a crash, a compaction and a fork keep them; going
 * back to before the turn that switched one on takes that back. A tool that goes away and comes back with the same owner, name and
 * schema is on again; one that came back as another isn't.
 */
export class Activations {
  readonly #store: Store;
  readonly #sessionId: SessionId;

  constructor(store: Store, sessionId: SessionId) {
    this.#store = store;
    this.#sessionId = sessionId;
  }

  /** The names of those that are on among the tools of a table, in the order in which they were switched on. */
  of(table: ToolTable): ReadonlySet<string> {
    const names = new Set<string>();
    for (const { name, identity } of this.#store.toolActivations.list(this.#sessionId)) {
      const tool = table.get(name);
      if (!tool?.deferred || identityOf(tool) !== identity) continue;
      // Switched on once more it counts from then.
      names.delete(name);
      names.add(name);
    }
    return new Set([...names].slice(-MOST_ACTIVE));
  }

  /** Switches tools on; answers the names that make room for them. */
  add(table: ToolTable, tools: readonly ToolDefinition[]): readonly string[] {
    const { toolActivations, events, transaction } = this.#store;
    const before = this.of(table);
    const added = tools.filter(({ name }) => !before.has(name));
    if (added.length === 0) return [];
    transaction(() => {
      const sequence = events.last(this.#sessionId);
      for (const tool of added) {
        const identity = identityOf(tool);
        if (identity !== undefined)
          toolActivations.add(this.#sessionId, { name: tool.name, identity }, sequence);
      }
    });
    const after = this.of(table);
    return [...before].filter((name) => !after.has(name));
  }
}

const identities = new WeakMap<ToolDefinition, string>();

/** Whose it is and what it takes. Undefined where no request could carry it. */
function identityOf(tool: ToolDefinition): string | undefined {
  if (!hasSchema(tool)) return undefined;
  const known =
    identities.get(tool) ?? sha256(canonicalJson({ origin: tool.origin, schema: schemaHash(tool) }));
  identities.set(tool, known);
  return known;
}
