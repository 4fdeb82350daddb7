/** A name as every model takes it: letters, digits, `_` and `-`, at most this long. */
export const LONGEST_NAME = 64;
/** What a tool of others may be called. */
export const LEGAL_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/** How the names of MCP servers' tools begin, for models and in rules, and nobody else's: `mcp__server__tool`. */
export const MCP_PREFIX = 'mcp__';
/** Between a server's name and its tool's. */
export const BETWEEN_NAMES = '__';
/** Of the sum over both names where the plain form won't do, in hexadecimal: 40 bits, so that nobody makes another's name by trying. */
export const SUM_LENGTH = 10;

/** `mcp__server__tool`, of whatever characters the two names are. */
export function plainMcpName(server: string, tool: string): string {
  return `${MCP_PREFIX}${server}${BETWEEN_NAMES}${tool}`;
}

const ENDS_IN_SUM = new RegExp(`_[0-9a-f]{${SUM_LENGTH}}$`);

/** Whether a name ends as those with a sum do. */
export function endsInSum(name: string): boolean {
  return ENDS_IN_SUM.test(name);
}

/** Others' word as a part of a legal name: each stretch of what isn't allowed becomes one `_`, so two words may come to the same. */
export function legalPart(word: string): string {
  return word.replace(/[^A-Za-z0-9_-]+/g, '_');
}
