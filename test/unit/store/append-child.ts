import type { SessionId } from '#protocol/ids';
import { openStore } from '#store/store';

// A second process that appends events to a session, each in its own transaction.
const [path = '', session = '', name = '', times = '0'] = process.argv.slice(2);
const quiet = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const opened = openStore({ path, log: quiet, clock: { now: () => 0, monotonic: () => 0 } });
if (!opened.ok) throw new Error(opened.error.message);
for (let n = 0; n < Number(times); n++) {
  opened.value.events.append(session as SessionId, { type: 'session.titled', title: `${name} ${n}` }, 0);
}
opened.value.close();
