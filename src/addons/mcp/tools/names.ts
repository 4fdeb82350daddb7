import { sha256 } from '#base/hash';
import { endsInSum, LONGEST_NAME, legalPart, plainMcpName, SUM_LENGTH } from '#tools/legal-name';
import type { McpNames } from '#tools/origin';

/** So much of a server's name is kept where the whole is too long. */
const SHORT_SERVER = 20;

/**
 * What the model calls a server's tool (or a person its prompt): `mcp__server__tool`. A function of the two names alone, so it is the
 * same in every session, whatever else there is and in whatever order. Where the plain form isn't legal, is too long, or could be read
 * as another pair's (`a` + `b__c` and `a__b` + `c`), it ends in a sum over both names.
 */
export function legalName({ server, tool }: McpNames): string {
  const plain = plainMcpName(server, tool);
  if (
    isPlainServer(server) &&
    /^[A-Za-z0-9_-]+$/.test(tool) &&
    plain.length <= LONGEST_NAME &&
    // It could be made to equal another pair's name with its sum.
    !endsInSum(plain)
  )
    return plain;
  const sum = sha256(JSON.stringify([server, tool])).slice(0, SUM_LENGTH);
  const room = LONGEST_NAME - SUM_LENGTH - 1;
  const [head, tail] = [legalPart(server), legalPart(tool)];
  const whole = plainMcpName(head, tail);
  const cut = whole.length <= room ? whole : plainMcpName(head.slice(0, SHORT_SERVER), tail).slice(0, room);
  return `${cut}_${sum}`;
}

/** Behind such a name the next `__` begins the tool's, so no other pair has this plain form. */
function isPlainServer(server: string): boolean {
  return /^[A-Za-z0-9-]+(_[A-Za-z0-9-]+)*$/.test(server);
}
