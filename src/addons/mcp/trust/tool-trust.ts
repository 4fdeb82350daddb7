import * as z from 'zod';
import type { ServerConfig } from '#addons/mcp/config/server';
import type { ServerTool } from '#addons/mcp/tools/server-tool';
import { canonicalJson, sha256 } from '#base/hash';
import type { AbsolutePath, Sha256 } from '#protocol/ids';
import type { McpQuestion } from '#protocol/mcp';
import type { TrustPorts } from './server-trust';
import { shown } from './shown';

/** Whose tools they are: `name` and `place` of a server's entry. */
export type ToolOwner = Pick<ServerConfig, 'name' | 'place'>;

/** What holds of a server's tools as it lists them now. */
export interface JudgedTools {
  /** Tools that aren't what was accepted, by the server's names: they are left out until the person accepts them. */
  readonly changed: ReadonlySet<string>;
  /** Undefined when nothing changed. */
  readonly question: McpQuestion | undefined;
  /** The person said no to exactly this: it isn't asked again, and what changed stays out. */
  readonly rejected: boolean;
}

/** Name → everything that a model or a person is told of a tool. Tools that are gone stay in it: they may come back the same. */
const pinnedSchema = z.record(z.string(), z.unknown());
type Pinned = Readonly<Record<string, unknown>>;

/**
 * Compares what a server lists with what was accepted of it. The first list of a server that the person accepted is kept as accepted
 * without a question: whoever accepts a server accepts what it brings. From then on each tool holds for exactly its name, title,
 * description, schemas and hints. One that differs or is new waits; the others go on; one that is gone needs no word. What is kept
 * outlives restarts, and a new command under an old name too: a new version asks about what it tells otherwise.
 */
export function judgeTools(owner: ToolOwner, tools: readonly ServerTool[], ports: TrustPorts): JudgedTools {
  const { folder, set } = placeOf(owner, ports);
  const last = ports.acceptances.lastAccepted(folder, set);
  if (last === undefined) {
    keep(owner, { next: listOf(tools), accepted: true }, ports);
    return { changed: new Set(), question: undefined, rejected: false };
  }
  const pinned = readPinned(last);
  const changed = new Set(tools.filter((tool) => !isPinned(tool, pinned)).map(({ name }) => name));
  if (changed.size === 0) return { changed, question: undefined, rejected: false };
  const next = { ...pinned, ...listOf(tools) };
  const sum = sumOf(next);
  const verdict = ports.acceptances.verdict({ folder, set, sha256: sum });
  if (verdict === 'accepted') return { changed: new Set(), question: undefined, rejected: false };
  const question: McpQuestion = {
    server: owner.name,
    about: 'tools',
    sha256: sum,
    before: shown(only(pinned, changed)),
    // In the order of what was kept: an order of keys is no difference.
    after: shown(JSON.parse(canonicalJson(only(next, changed)))),
  };
  return { changed, question, rejected: verdict === 'rejected' };
}

/** Keeps the person's word on exactly what the question showed; false when the tools are others by now, and then nothing is kept. */
export function answerTools(
  owner: ToolOwner,
  {
    tools,
    question,
    accepted,
  }: { readonly tools: readonly ServerTool[]; readonly question: McpQuestion; readonly accepted: boolean },
  ports: TrustPorts,
): boolean {
  const now = judgeTools(owner, tools, ports).question;
  if (now === undefined || now.server !== question.server || now.sha256 !== question.sha256) return false;
  const { folder, set } = placeOf(owner, ports);
  const pinned = readPinned(ports.acceptances.lastAccepted(folder, set) ?? '{}');
  keep(owner, { next: { ...pinned, ...listOf(tools) }, accepted }, ports);
  return true;
}

function keep(
  owner: ToolOwner,
  { next, accepted }: { readonly next: Pinned; readonly accepted: boolean },
  ports: TrustPorts,
): void {
  const key = { ...placeOf(owner, ports), sha256: sumOf(next) };
  ports.acceptances.record(key, accepted ? 'accepted' : 'rejected', {
    content: canonicalJson(next),
    at: ports.now(),
  });
}

function placeOf(
  { name, place }: ToolOwner,
  { folder, home }: TrustPorts,
): { readonly folder: AbsolutePath; readonly set: string } {
  return place.kind === 'user'
    ? { folder: home, set: `mcp-user-tools:${name}` }
    : { folder, set: `mcp-tools:${name}` };
}

/** A kept text that can't be read pins nothing: every tool is asked about. */
function readPinned(text: string): Pinned {
  try {
    return pinnedSchema.parse(JSON.parse(text));
  } catch {
    return {};
  }
}

function listOf(tools: readonly ServerTool[]): Pinned {
  return Object.fromEntries(tools.map((tool) => [tool.name, tool]));
}

function isPinned(tool: ServerTool, pinned: Pinned): boolean {
  return Object.hasOwn(pinned, tool.name) && canonicalJson(pinned[tool.name]) === canonicalJson(tool);
}

function sumOf(list: Pinned): Sha256 {
  return sha256(canonicalJson(list)) as Sha256;
}

function only(list: Pinned, names: ReadonlySet<string>): Pinned {
  return Object.fromEntries(
    [...names].sort().flatMap((name) => (Object.hasOwn(list, name) ? [[name, list[name]]] : [])),
  );
}
