import type { Connection } from '#addons/mcp/connection/connection';
import { fail, ok, type Result } from '#base/result';

/** What a server offers, as it says it: nobody has judged it yet. */
export interface Inventory {
  readonly tools: readonly unknown[];
  readonly prompts: readonly unknown[];
  readonly resources: readonly unknown[];
  readonly templates: readonly unknown[];
}

/** What a server has offered that hasn't been asked. */
export const NOTHING: Inventory = { tools: [], prompts: [], resources: [], templates: [] };

/** The lists that a server says have changed. */
export type Listed = 'tools' | 'prompts' | 'resources';

/** Which lists to ask for anew, and what is known of the others. */
export interface Listing {
  readonly known: Inventory;
  readonly wanted: ReadonlySet<Listed>;
  readonly signal: AbortSignal;
  log(line: string): void;
}

/**
 * Asks anew for the lists named, of those that the server has at all. Tools must be had; what else can't be listed is told and stays as
 * it was.
 */
export async function listAnew(
  connection: Connection,
  { known, wanted, signal, log }: Listing,
): Promise<Result<Inventory, string>> {
  const { has } = connection;
  const soft = async (list: Promise<Result<readonly unknown[], string>>, before: readonly unknown[]) => {
    const read = await list;
    if (!read.ok) log(`Belay: ${read.error}`);
    return read.ok ? read.value : before;
  };
  const tools = has.tools && wanted.has('tools') ? await connection.tools(signal) : ok(known.tools);
  if (!tools.ok) return fail(tools.error);
  const asksPrompts = has.prompts && wanted.has('prompts');
  const prompts = asksPrompts ? await soft(connection.prompts(signal), known.prompts) : known.prompts;
  if (!(has.resources && wanted.has('resources'))) return ok({ ...known, tools: tools.value, prompts });
  const resources = await soft(connection.resources(signal), known.resources);
  const templates = await soft(connection.resourceTemplates(signal), known.templates);
  return ok({ tools: tools.value, prompts, resources, templates });
}
