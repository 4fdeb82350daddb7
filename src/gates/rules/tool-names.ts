import { fail, ok, type Result } from '#base/result';
import { hasInvisible } from '#base/text';
import {
  BETWEEN_NAMES as BETWEEN,
  endsInSum,
  legalPart,
  MCP_PREFIX as MCP,
  plainMcpName,
} from '#tools/legal-name';
import type { McpNames } from '#tools/origin';
import type { CallFacts, Strictness } from './subject';

/**
 * Whether a rule's word names a tool. Tools of MCP servers are named by the name that the model sees and by the names that the server
 * and the person use: `mcp__my.server__admin.tools.list`, `mcp__my.server` and `mcp__my.server__*` for all of it. A word that may be
 * read in two ways (`mcp__a__b__c`: of the server `a` or of `a__b`?) guards in each of them and opens in the first alone, and a server
 * whose own name makes it unclear is opened only by the name that the model sees, which is nobody else's.
 */
export function namesTool(
  word: string,
  { tool, mcp }: Pick<CallFacts, 'tool' | 'mcp'>,
  strictness: Strictness,
): boolean {
  if (word === tool) return true;
  const isOpen = word.endsWith('*');
  if (!word.startsWith(MCP)) return isOpen && tool.startsWith(word.slice(0, -1));
  // Somebody else's tool that only looks like a server's is guarded with it, never opened.
  if (mcp === undefined) return strictness === 'guard' && looksNamed(word, tool);
  const body = word.slice(MCP.length);
  if (strictness === 'allow') return isPlain(mcp) && !looksMade(word) && opens(body, mcp);
  const legal = { server: legalPart(mcp.server), tool: legalPart(mcp.tool) };
  return [mcp, legal].some((names) => guards(body, names));
}

/** A word of a rule that begins with `mcp__`; the error is for the person who wrote it. */
export function mcpWord(text: string): Result<string, string> {
  if (text.length === MCP.length) return fail('no server is named; write mcp__* to mean all');
  if (text.slice(0, -1).includes('*')) return fail('a * may stand only at the end of a tool’s name');
  return hasInvisible(text) || text.includes('\n') ? fail('invisible characters stand in it') : ok(text);
}

/**
 * The words that name exactly this tool, and exactly its server, in a rule that opens. The server's is undefined where no word names it
 * and nothing else.
 */
export function ruleWords({ tool, mcp }: Pick<CallFacts, 'tool' | 'mcp'>): {
  readonly tool: string;
  readonly server: string | undefined;
} {
  if (mcp === undefined) return { tool, server: undefined };
  const server = `${MCP}${mcp.server}`;
  const whole = plainMcpName(mcp.server, mcp.tool);
  const isUsable = (word: string) =>
    isPlain(mcp) &&
    !looksMade(word) &&
    !/[()]/.test(word) &&
    !word.endsWith('*') &&
    mcpWord(word).ok &&
    word === word.trim();
  return { tool: isUsable(whole) ? whole : tool, server: isUsable(server) ? server : undefined };
}

/** The first `__` behind `mcp__` ends the server's name: of such a server that is always so. */
function isPlain({ server }: McpNames): boolean {
  return !server.includes(BETWEEN) && !server.endsWith('_') && !server.startsWith('_');
}

/** The end that names get which aren't legal as they are (see addons/mcp/tools/names.ts). */
function looksMade(word: string): boolean {
  return endsInSum(word) && word.indexOf(BETWEEN, MCP.length) >= 0;
}

function opens(body: string, { server, tool }: McpNames): boolean {
  const at = body.indexOf(BETWEEN);
  if (at >= 0) return body.slice(0, at) === server && fits(body.slice(at + BETWEEN.length), tool);
  return fits(body, server);
}

function guards(body: string, { server, tool }: McpNames): boolean {
  // `a__*` is the server `a`, whole, and none whose name only begins so.
  if (!body.endsWith(`${BETWEEN}*`) && fits(body, server)) return true;
  return splits(body).some(({ head, rest }) => head === server && fits(rest, tool));
}

function splits(body: string): readonly { readonly head: string; readonly rest: string }[] {
  const found: { head: string; rest: string }[] = [];
  for (let at = body.indexOf(BETWEEN); at >= 0; at = body.indexOf(BETWEEN, at + 1))
    found.push({ head: body.slice(0, at), rest: body.slice(at + BETWEEN.length) });
  return found;
}

/** A star at the end takes any further characters. */
function fits(word: string, name: string): boolean {
  return word.endsWith('*') ? name.startsWith(word.slice(0, -1)) : name === word;
}

function looksNamed(word: string, tool: string): boolean {
  return word.endsWith('*') ? tool.startsWith(word.slice(0, -1)) : tool.startsWith(`${word}${BETWEEN}`);
}
