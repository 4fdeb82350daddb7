import { storeProblem } from '#agent/turn-problem';
import type { SessionId } from '#protocol/ids';
import { openStore } from '#store/store';

// Writes to a session until the disk takes no more, and prints what it was told and what it can still read.
const [path = '', session = ''] = process.argv.slice(2);
const quiet = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const opened = openStore({ path, log: quiet, clock: { now: () => 0, monotonic: () => 0 } });
if (!opened.ok) throw new Error(opened.error.message);
const { events } = opened.value;
let recorded = 0;
let refusal: unknown;
while (refusal === undefined && recorded < 1000) {
  try {
    events.append(session as SessionId, { type: 'session.titled', title: 'x'.repeat(8000) }, recorded);
    recorded++;
  } catch (error) {
    refusal = error;
  }
}
const readable = events.list(session as SessionId).length;
const { kind } = storeProblem(refusal);
console.log(JSON.stringify({ recorded, refused: refusal !== undefined, readable, kind }));
